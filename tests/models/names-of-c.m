-- Names that mean something in C, or in the program that is generated from the model.
-- (rumur has no names that begin with an underscore.)
--
-- noether: verdict=holds deadlock=off states=689 canonical=195 rules=2817 canonical_rules=795
-- noether: rumur=no
const memcpy: 3;
type
  index: scalarset(memcpy);
  NULL: enum { fault, m, run, READ, UINT, printf };
  rec: record linux: NULL; memmove: 0..3; end;
var
  a: array [index] of rec;
  bool: boolean; memcmp: 0..2; strlen, load: NULL;
  next_1: 0..3; kept_: 0..3; _x: boolean; NATIVE_DONE: 0..3; INT8_MAX: 0..3; rule_0_clear: 0..3; property_2: 0..3;

startstate begin
  for i: index do a[i].linux := fault; a[i].memmove := 0; end;
  bool := false; memcmp := 0; strlen := fault; load := fault; next_1 := 0; kept_ := 0; _x := true; NATIVE_DONE := 0; INT8_MAX := 0;
  rule_0_clear := 0; property_2 := 0;
end;

function memset(var int: rec; double: 0..3): boolean;
var register: 0..3;
begin
  register := double;
  int.memmove := (int.memmove + register) % 4;
  return int.memmove = 0;
end;

ruleset static: index do
  alias short: a[static] do
    rule "clear"
      memcmp < 2
    ==>
    begin
      memcmp := memcmp + 1; next_1 := memcmp; kept_ := (kept_ + 1) % 4; NATIVE_DONE := kept_; INT8_MAX := NATIVE_DONE;
      rule_0_clear := kept_; property_2 := rule_0_clear;
      clear a[static];
    end;
    rule "*/ odd * name /*"
      short.linux != run
    ==>
    var x: boolean;
    begin
      x := memset(short, 1);
      if x then short.linux := run; strlen := m; load := m; bool := !bool; end;
    end;
  end;
end;

invariant "m" memcmp < 4 & property_2 = kept_;
