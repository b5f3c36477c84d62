"""The analysis behind the pass `facts`: constants, intervals and equalities that hold wherever execution can be."""
