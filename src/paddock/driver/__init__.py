"""Where options become front end, passes, engine and result, for the two doors `cli` and `api`."""
