-- expect: 5:3: error: expected a name to declare, found "rule"
-- hint: "rule" is a keyword and cannot be used as a name

var
  rule: 0..3;
startstate
  x := 0;
end;
