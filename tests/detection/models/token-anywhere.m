-- Survey, Figure 1 (right), with tok := nondeterministic: everybody may be next.
--
-- detect: order=120 Proc{*}=full
const n: 5;
type Proc: 1..n;
var State: array [Proc] of enum {N, T, C}; tok: Proc;
ruleset first: Proc do startstate begin for p: Proc do State[p] := N; end; tok := first; end; end;
ruleset p: Proc do
  rule "try" State[p] = N ==> begin State[p] := T; end;
  rule "enter" State[p] = T & tok = p ==> begin State[p] := C; end;
  ruleset q: Proc do rule "leave" State[p] = C ==> begin State[p] := N; tok := q; end; end;
end;
invariant "one" forall p: Proc do forall q: Proc do State[p] = C & State[q] = C -> p = q end end;
