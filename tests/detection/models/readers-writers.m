-- Survey, Figure 8: readers and writers told apart by a number.
--
-- detect: order=12 Proc{1,2,3}=full Proc{4,5}=full
const NumProcs: 5; FirstWriter: 4;
type Proc: 1..NumProcs;
var State: array [Proc] of enum {N, T, C};
startstate begin for p: Proc do State[p] := N; end; end;
ruleset p: Proc do
  rule "try" State[p] = N ==> begin State[p] := T; end;
  rule "leave" State[p] = C ==> begin State[p] := N; end;
  rule "write" State[p] = T & p >= FirstWriter & forall q: Proc do State[q] != C end ==> begin State[p] := C; end;
  rule "read" State[p] = T & p < FirstWriter & !(exists q: Proc do q >= FirstWriter & State[q] = C end)
  ==> begin State[p] := C; end;
end;
invariant "writers alone" forall p: Proc do forall q: Proc do
  p >= FirstWriter & State[p] = C & q != p -> State[q] != C end end;
