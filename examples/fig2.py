"""Write the program of Fig. 2 of the DAG-inlining paper for any N, as Boogie on standard output.

Each P_i reaches P_(i+1) through one of two branches, each of which adds 1 to g, and P_N asserts g == N. The program
has 2^N paths. A tree of inlined procedures doubles with every level; the DAG has 3N + 2 nodes.

    python3 examples/fig2.py 3 > fig2.bpl
"""

import sys

HEADER = """\
// The program of Fig. 2 of the DAG-inlining paper with N = {n}, as examples/fig2.py writes it. There are 2^N paths
// to the assertion, but P1, P2, ... are each entered at most once on a path, so DAG inlining needs one copy of each.
// Expected: proved.

var g: int;

procedure main()
  modifies g;
{{
  g := 0;
  call P0();
}}
"""

LEVEL = """
procedure P{i}()
  modifies g;
{{
  if (*) {{
    call Left{i}();
  }} else {{
    call Right{i}();
  }}
}}

procedure Left{i}()
  modifies g;
{{
  g := g + 1;
  call P{next}();
}}

procedure Right{i}()
  modifies g;
{{
  g := g + 1;
  call P{next}();
}}
"""

LAST = """
procedure P{n}()
  modifies g;
{{
  assert g == {n};
}}
"""


def program(n: int) -> str:
    levels = (LEVEL.format(i=i, next=i + 1) for i in range(n))
    return HEADER.format(n=n) + "".join(levels) + LAST.format(n=n)


if __name__ == "__main__":
    if len(sys.argv) != 2 or not sys.argv[1].isdecimal():
        sys.exit("usage: fig2.py N")
    sys.stdout.write(program(int(sys.argv[1])))
