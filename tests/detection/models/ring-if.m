-- A ring closed by an if statement: only the instances show that it is one.
--
-- detect: order=5 Node{*}=cyclic
const n: 5;
type Node: 1..n;
var full: array [Node] of boolean;
ruleset first: Node do startstate begin for i: Node do full[i] := false; end; full[first] := true; end; end;
ruleset i: Node do rule "pass" full[i] ==> begin
  full[i] := false;
  if i = n then full[1] := true; else full[i + 1] := true; end;
end; end;
