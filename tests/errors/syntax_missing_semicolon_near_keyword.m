-- expect: 7:10: error: expected ";" between statements, found "code"
--
-- errors: 1
var code: 0..3; -- a name that is nearly "case" is no misspelt keyword
    x: 0..3;
startstate begin
  x := 0 code := 1;
end;
rule x = 0 ==> begin x := 1; end;
