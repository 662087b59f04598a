-- expect: 4:9: error: unexpected "scalarst"
-- hint: did you mean "scalarset"?
-- errors: 8
type P: scalarst(3); -- each misspelt word is one error
     R: recrod a: boolean; end;
var x: arry [P] of boolean;
startstate begin fr i: P do x[i] := false; end; end;
rulset i: P do
  rule x[i] ==> begni
    if x[i] then x[i] := true; esle x[i] := false; end;
  end;
end;
invariant foral i: P do x[i] end;
