"""Symbolic execution of the whole program with merged paths, as in bounded model checking of C (Clarke, Kroening and
Lerda, A tool for checking ANSI-C programs, TACAS 2004): loops are unwound, calls are followed, states are merged where
paths meet, and all assertions become one formula.

What is constant along the way is computed and not asked: most pointers, sizes and loop counters of a C program. So this
engine is for programs that compute much with few inputs; the engines of `inlining` are for those that choose much.

    nodes → spans, rules     terms that are simplified when they are made
    cells                    maps, element by element where indices are known
    compiled                 expressions of the program as steps over terms
    order, state, values     which block comes next, and what is known there
    statements, branching    what statements do to a state, and where it goes on
    depth, execution         activations, visits of blocks, and how many there may be
    frames, points, threads  activations that threads leave and go on in, and whose turn it is
    records, reading         what an execution leaves behind, and the path of a model through it
    encoding, search         the formula and the verdict
"""
