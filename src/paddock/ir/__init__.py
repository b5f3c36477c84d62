"""The intermediate representation: Boogie without its sugar, and what can be asked about it."""
