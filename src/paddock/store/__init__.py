"""What is kept from one run to the next, as plain data that is checked wherever it is read."""
