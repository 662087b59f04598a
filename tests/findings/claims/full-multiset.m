-- Asking and answering: the multiset has room for the messages of three.
const N: 3;
type P: scalarset(N);
var net: multiset [3] of P; s: array [P] of enum { Idle, Wait };
choose k: net do rule "answer" true ==> begin s[net[k]] := Idle; multisetremove(k, net); end; end;
ruleset p: P do rule "ask" s[p] = Idle ==> begin s[p] := Wait; multisetadd(p, net); end; end;
startstate begin for p: P do s[p] := Idle end; undefine net; end;
invariant "as many" forall p: P do multisetcount(i: net, net[i] = p) = (s[p] = Wait ? 1 : 0) end;
