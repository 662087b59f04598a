-- The slot k is free when the loop begins, and filled by the first iteration: what net[k] is depends on the order.
const N: 3;
type P: scalarset(N);
var net: multiset [N] of P; s: array [P] of 0..1;
startstate for p: P do s[p] := 0 end; undefine net; end;
ruleset p: P do rule "send" multisetcount(i: net, true) = 0 ==> multisetadd(p, net); end; end;
choose k: net do rule "pass" s[net[k]] = 0 ==>
  multisetremove(k, net);
  for q: P do multisetadd(q, net); s[net[k]] := 1 - s[net[k]]; end;
end; end;
