// Floats: IEEE 754 with NaN, infinities and signed zeros, Boogie's operators (which round to nearest), and builtins.
function {:builtin "fp.add"} add(rmode, float24e8, float24e8): float24e8;
function {:builtin "fp.div"} divide(rmode, float24e8, float24e8): float24e8;
function {:builtin "fp.isNaN"} isNaN(float24e8): bool;
function {:builtin "fp.isNegative"} isNegative(float24e8): bool;
function {:builtin "fp.isZero"} isZero(float24e8): bool;
function {:builtin "fp.isSubnormal"} isSubnormal(float24e8): bool;
function {:builtin "fp.isInfinite"} isInfinite(float24e8): bool;
function {:builtin "="} identical(float24e8, float24e8): bool;
function {:builtin "fp.eq"} equal(float24e8, float24e8): bool;
function {:builtin "(_ to_fp 5 11)"} half(bits: bv16): float11e5;
function {:builtin "(_ to_fp 8 24) RTZ"} toSingle(real): float24e8;
function {:builtin "(_ fp.to_sbv 8) RNE"} toByte(float24e8): bv8;

procedure {:verdict "proved"} not_a_number(x: float24e8)
{
  assert 0NaN24e8 == 0NaN24e8 && !equal(0NaN24e8, 0NaN24e8);
  assert (x == 0NaN24e8) == isNaN(x) && !(x < 0NaN24e8) && !(x >= 0NaN24e8);
  assert isNaN(x + 0NaN24e8);
  assert isNaN(0+oo24e8 - 0+oo24e8);
}

procedure {:verdict "proved"} equality_of_values_is_reflexive(x: float24e8, y: float24e8)
{
  assert x == x;
  if (x == y) {
    assert isNaN(x) || 0x1.0e0f24e8 / x == 0x1.0e0f24e8 / y;
  } else {
    assert !equal(x, y) || isZero(x);
  }
}

procedure {:verdict "bug"} equality_of_IEEE_754_is_not_reflexive(x: float24e8)
{
  assert equal(x, x);
}

datatype Point { Point(x: float24e8, y: float24e8) }
const one: float24e8;
axiom one == 0x1.0e0f24e8;
function twice(x: float24e8): float24e8 { x + x }

procedure {:verdict "proved"} equality_inside_of_values(m: [float24e8]int, p: Point, n: [int]float24e8)
{
  assert m[0x0.0e0f24e8 := 1][-0x0.0e0f24e8 := 2][0x0.0e0f24e8] == 1;
  assert Point(0NaN24e8, one) == Point(0NaN24e8, one) && Point(0x0.0e0f24e8, one) != Point(-0x0.0e0f24e8, one);
  assert p == Point(p->x, p->y) && n[0 := n[0]] == n;
  assert twice(one) == 0x2.0e0f24e8 && twice(0NaN24e8) == 0NaN24e8;
}

procedure {:verdict "bug"} zeros_with_different_signs_differ(m: [float24e8]int)
{
  assert m[0x0.0e0f24e8] == m[-0x0.0e0f24e8];
}

procedure {:verdict "proved"} signed_zeros()
{
  var zero, minus: float24e8;
  zero := 0x0.0e0f24e8;
  minus := -0x0.0e0f24e8;
  assert zero != minus && equal(zero, minus) && !identical(zero, minus);
  assert isNegative(minus) && !isNegative(zero);
  assert divide(RNE, 0x1.0e0f24e8, minus) == 0-oo24e8;
}

procedure {:verdict "bug"} {:slow} zero_with_a_sign(x: float24e8)
{
  assume isZero(x);
  assert !isNegative(x);
}

procedure {:verdict "proved"} arithmetic()
{
  assert 0x1.8e0f24e8 + 0x0.8e0f24e8 == 0x2.0e0f24e8;
  assert 0x1.8e0f24e8 * 0x2.0e0f24e8 == 0x3.0e0f24e8;
  assert 0x1.0e0f24e8 / 0x2.0e0f24e8 == 0x0.8e0f24e8;
  assert 0x1.0e0f24e8 - 0x2.0e0f24e8 == -0x1.0e0f24e8;
  assert 0x1.0e0f24e8 < 0x1.8e0f24e8 && 0x1.8e0f24e8 >= 0x1.8e0f24e8;
}

procedure {:verdict "bug"} addition_absorbs(x: float24e8)
{
  assume !isNaN(x) && !isInfinite(x);
  assert x + 0x1.0e0f24e8 > x;
}

procedure {:verdict "bug"} rounding_modes_differ(m: rmode)
{
  assert divide(m, 0x1.0e0f24e8, 0x3.0e0f24e8) == divide(RTZ, 0x1.0e0f24e8, 0x3.0e0f24e8);
}

procedure {:verdict "proved"} rounding_modes()
{
  assert divide(RTP, 0x1.0e0f24e8, 0x3.0e0f24e8) > divide(RTN, 0x1.0e0f24e8, 0x3.0e0f24e8);
  assert divide(RTZ, 0x1.0e0f24e8, 0x3.0e0f24e8) == divide(RTN, 0x1.0e0f24e8, 0x3.0e0f24e8);
}

procedure {:verdict "bug"} addition_rounds(m: rmode, x: float24e8)
{
  assume x == 0x1.0e0f24e8;
  assert add(m, x, 0x0.000001e0f24e8) == x;
}

procedure {:verdict "bug"} subnormal(x: float24e8)
{
  assume x > 0x0.0e0f24e8;
  assert !isSubnormal(x);
}

procedure {:verdict "bug"} overflow(x: float24e8)
{
  assume !isInfinite(x) && !isNaN(x);
  assert !isInfinite(x + x);
}

procedure {:verdict "proved"} {:not "cvc5"} bits()
{
  assert half(15360bv16) == 0x1.0e0f11e5;
  assert half(49152bv16) == -0x2.0e0f11e5;
}

procedure {:verdict "bug"} {:not "cvc5"} bits_of_a_float(b: bv16)
{
  assert half(b) != 0x0.8e0f11e5;
}

procedure {:verdict "bug"} of_a_real(r: real)
{
  assume 0.0 < r && r < 1.0;
  assert toSingle(r) != 0x0.4e0f24e8 || r == 0.25;
}

procedure {:verdict "bug"} out_of_range()
{
  assert toByte(0+oo24e8) == 0bv8;
}

// Functions may give what is not a number; defined through themselves or not.
function quotient(x: float24e8, y: float24e8): float24e8 { x / y }
function repeated(x: float24e8, n: int): float24e8 { if n <= 0 then x / x else repeated(x, n - 1) }

procedure {:verdict "bug"} {:slow} defined_by_a_body(x: float24e8)
{
  var y: float24e8;
  y := quotient(x, x);
  assert y == y && equal(y, y);
}

procedure {:verdict "proved"} defined_by_a_body_exactly()
{
  assert identical(quotient(-0x0.0e0f24e8, 0x1.0e0f24e8), -0x0.0e0f24e8);
}

procedure {:verdict "bug"} {:slow} defined_through_itself(x: float24e8)
{
  var y: float24e8;
  y := repeated(x, 1);
  assert y == y && equal(y, y);
}
