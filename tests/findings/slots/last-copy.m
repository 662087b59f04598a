-- The loop overwrites the element of slot k: which one stays depends on the order of the processes.
const N: 3;
type P: scalarset(N);
var net: multiset [N] of P; s: array [P] of 0..1;
startstate for p: P do s[p] := 0 end; undefine net; end;
ruleset p: P do rule "send" multisetcount(i: net, true) = 0 ==> multisetadd(p, net); end; end;
choose k: net do rule "pass" s[net[k]] = 0 ==>
  s[net[k]] := 1;
  for q: P do if s[q] = 0 then net[k] := q end end;
end; end;
