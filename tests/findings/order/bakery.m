-- The greatest number so far, by a loop over a scalarset.
const N: 5; MAX: 6;
type Proc: scalarset(N); Num: 0..MAX;
var num: array [Proc] of Num; waits: array [Proc] of boolean;
startstate begin for p: Proc do num[p] := 0; waits[p] := false; end; end;
ruleset p: Proc do
  rule "take" num[p] = 0 & forall q: Proc do num[q] < MAX end ==>
  var m: Num;
  begin
    m := 0;
    for q: Proc do if num[q] > m then m := num[q]; end; end;
    num[p] := m + 1;
    waits[p] := true;
  end;
  rule "leave" waits[p] & forall q: Proc do num[q] = 0 | num[p] <= num[q] end ==> begin num[p] := 0; waits[p] := false; end;
end;
invariant "different" forall p: Proc; q: Proc do p != q & num[p] != 0 -> num[p] != num[q] end;
