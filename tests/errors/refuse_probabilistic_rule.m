-- expect: 11:6: error: probabilistic rules are not supported
-- hint: a guard is true or false

var
  x: 0..3;

startstate
  x := 0;
end;

rule 0.5 ==> begin x := 1; end;
