"""Any solver that is a command and reads SMT-LIB 2."""
