// RUN: check
type A;
type B a;
type Loop = [int]Loop;
var x: A int;
var y: B;
var z: C;
var w: bv;

procedure main()
{
}
