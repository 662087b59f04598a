-- Many elements, one of them named: exchanges of two suffice, no group of that size is computed with.
--
-- detect: order=* Node{1..100}=full
const n: 100;
type Node: 0..n;
var home: Node;
startstate begin home := 0; end;
ruleset i: Node; j: Node do rule "go" home = i & i != 0 & j != 0 ==> begin home := j; end; end;
ruleset i: Node do rule "first" home = 0 & i != 0 ==> begin home := i; end; end;
