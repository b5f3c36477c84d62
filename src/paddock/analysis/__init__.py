"""What is found out about programs and changes none: facts, known values, how often loops run.

Passes put it into programs; it imports `ir` alone.
"""
