-- ismember of an enumeration and a scalarset inside a union of three.
--
-- noether: verdict=holds states=25 canonical=11 rules=120 canonical_rules=52
-- noether: rumur=no
type P: scalarset(2); Q: scalarset(2); E: enum { None }; U: union { P, Q, E };
var u: U; v: U;
startstate begin u := None; v := None; end;
ruleset x: U do
  rule "u" !ismember(u, E) | !ismember(x, E) ==> begin v := u; u := x; end;
end;
invariant "one of them" ismember(u, P) | ismember(u, Q) | ismember(u, E);
invariant "not both" !(ismember(u, P) & ismember(u, Q));
