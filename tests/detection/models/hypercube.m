-- A broadcast from every corner of a hypercube of dimension 4: 2^4 * 4! symmetries.
--
-- detect: order=384 Node{*}=generic
const d: 4;
type Node: 0..15; Dim: 0..d - 1;
var told: array [Node] of boolean;
ruleset first: Node do startstate begin for i: Node do told[i] := i = first; end; end; end;
ruleset i: Node; k: Dim do rule "tell" told[i] & !told[i ^ (1 << k)] ==> begin told[i ^ (1 << k)] := true; end; end;
