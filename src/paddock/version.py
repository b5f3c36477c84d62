"""The version of Paddock; the package's metadata is read from here."""

__version__ = "0.1.0"
