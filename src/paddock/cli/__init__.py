"""The command line: a thin door to `driver`."""
