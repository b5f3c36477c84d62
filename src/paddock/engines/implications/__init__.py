"""Implications between assertions (Fedyukovich, Callia D'Iddio, Hyvärinen and Sharygina, *Symbolic Detection of
Assertion Dependencies for Bounded Model Checking*): the unwound program, which of its assertions imply which, and
checking few of them to know of all."""
