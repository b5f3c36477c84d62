"""A language server: what a check finds, beside the lines of an editor."""
