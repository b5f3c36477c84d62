/* The GNU C library of a 64-bit system asks for this file when a program is compiled for 32 bits. */
