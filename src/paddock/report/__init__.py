"""What a check found, as plain data, and the forms in which it is shown."""
