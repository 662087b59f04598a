-- Survey, Figure 1 (right): the token is passed on to the next process.
--
-- detect: order=12 Proc{*}=cyclic
const n: 12;
type Proc: 1..n;
var State: array [Proc] of enum {N, T, C}; tok: Proc;
ruleset first: Proc do startstate begin for p: Proc do State[p] := N; end; tok := first; end; end;
ruleset p: Proc do
  rule "try" State[p] = N ==> begin State[p] := T; end;
  rule "enter" State[p] = T & tok = p ==> begin State[p] := C; end;
  rule "leave" State[p] = C ==> begin State[p] := N; tok := (tok % n) + 1; end;
end;
invariant "one" forall p: Proc do forall q: Proc do State[p] = C & State[q] = C -> p = q end end;
