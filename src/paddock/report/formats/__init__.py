"""The formats of reports: a folder for each command that reports something, a file for each format."""
