-- The token is with nobody after two steps; then it is compared.
type
  Node: scalarset(3);
  Place: union { Node, enum { Nowhere } };
var
  token: Place; last: Node; turn: 0..2;
startstate begin token := Nowhere; last := undefined; turn := 0; end;
ruleset n: Node do
  rule "take" turn = 0 ==> begin token := n; last := n; turn := 1; end;
  rule "lose" turn = 1 & token = n ==> begin undefine token; turn := 2; end;
  rule "end" turn = 2 & last = n & token != n ==> begin turn := 0; end;
end;
invariant "the last one is known" turn > 0 -> !isundefined(last);
