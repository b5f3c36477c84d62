"""Work that goes on beside this process: `supervisor.py` has child processes, `interface.py` tasks and their ends, and
`processes.py` and `cluster.py` those who do them; `limits.py` has limits on code in this process."""
