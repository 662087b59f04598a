-- A variable without cells is not the one beside it: what is done to it leaves that one alone.
--
-- noether: verdict=holds states=4 canonical=2 rules=16 canonical_rules=8
-- noether: rumur=yes
type Nothing: record end; R: 0..3;
var x: R;
function same(n: Nothing; r: R): R; begin return r; end;
startstate begin x := 0; end;
ruleset r: R do
  rule "store"
  var empty: Nothing;
  begin
    for i: R do
      undefine empty;
      assert !isundefined(i) "a loop variable has a value";
      if i = r then x := same(empty, i); end;
    end;
  end;
end;
invariant "in range" x <= 3;
