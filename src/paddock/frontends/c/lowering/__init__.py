"""From the C tree to the IR, function by function: services that are handed to one another.

What all functions share is in `context.py`. A service has the few others that it needs as fields; `assembly.py` puts
them together, and none of them knows it.
"""
