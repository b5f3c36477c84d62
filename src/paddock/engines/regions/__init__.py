"""Gambling on regions: prove assertions from the smallest part of the program that suffices, several at a time."""
