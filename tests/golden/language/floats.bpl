// RUN: transform --pass lower
function {:builtin "fp.add"} add(rmode, float24e8, float24e8): float24e8;
function {:builtin "fp.lt"} lt(float53e11, float53e11): bool;

procedure main(x: float24e8, mode: rmode)
{
  var y: float24e8;
  y := 0x1.8e0f24e8;
  assert add(RNE, x, y) != 0NaN24e8;
  assert add(mode, -0x0.8e0f24e8, y) == 0x1.0e0f24e8;
  assert x != 0+oo24e8 && x != 0-oo24e8;
  assert lt(0x0.0e0f53e11, 0x2.0e3f53e11);
  assert mode == RTZ || mode == roundTowardPositive || mode != RTN;
}
