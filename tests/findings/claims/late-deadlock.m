-- A deadlock with 5 of P and more.
const N: 3;
type P: scalarset(N);
var s: array[P] of enum{A,B}; v1,v2,v3,v4: P;
ruleset p: P do startstate begin for i: P do s[i] := A; end; v1:=p; v2:=p; v3:=p; v4:=p; end; end;
ruleset p: P; q: P do rule "move" s[p]=A & (p=v1|p=v2|p=v3|p=v4|p=q) & q=p ==> begin v4:=v3; v3:=v2; v2:=v1; v1:=p; s[p]:=B; end; end;
rule "reset" (forall i: P do i=v1|i=v2|i=v3|i=v4 end) & (forall i: P do s[i]=B end) ==> begin for i: P do s[i] := A; end; end;

