"""Write the program of Fig. 1 of the deep-asserts paper for any n, as Boogie on standard output.

Each P_i but the last calls its successor twice, P_n opens and closes in a loop. Inlined as a tree, there are 2^n copies
of P_n; once the assertion is lifted to main, none of them matters.

    python3 examples/deep_asserts.py 4 > deep_asserts.bpl
"""

import sys

HEADER = """\
// Fig. 1 of the deep-asserts paper with n = {n}: the only assertion lies at the end of a chain of procedures that each
// call their successor twice, inside a loop. It cannot fail, because `Open` always runs before `Close`.
// Expected: proved. With --tune facts=no it is bounded: the loop of P{n} may run for ever, so the recursion bound \
cuts it off.

var s, g: int;

procedure main()
  modifies s, g;
{{
  s := 0;
  g := 1;
  call P1();
}}
"""

LEVEL = """
procedure P{i}(){contract}
  modifies s;
{{
  call P{next}();
  call P{next}();
}}
"""

LAST = """
procedure P{n}(){contract}
  modifies s;
{{
  while (*) {{
    if (g == 1) {{
      call Open();
    }}
    call Close();
  }}
}}

procedure Open()
  modifies s;
{{
  s := 1;
}}

procedure Close()
  modifies s;
{{
  assert s > 0;
  s := 0;
}}
"""


def program(n: int, contract: str = "") -> str:
    """The program for a number; each P_i with a further clause in its contract, such as ` free requires g == 1;`."""
    levels = (LEVEL.format(i=i, next=i + 1, contract=contract) for i in range(1, n))
    return HEADER.format(n=n) + "".join(levels) + LAST.format(n=n, contract=contract)


if __name__ == "__main__":
    if len(sys.argv) != 2 or not sys.argv[1].isdecimal() or int(sys.argv[1]) < 1:
        sys.exit("usage: deep_asserts.py N")
    sys.stdout.write(program(int(sys.argv[1])))
