"""cvc5 in process, where the package is installed."""
