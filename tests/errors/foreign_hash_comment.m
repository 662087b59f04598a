-- expect: 4:14: error: unexpected character "#"
-- hint: comments begin with -- or stand between /* and */
--
var x: 0..1; # hello
startstate begin x := 0; end;
rule "a" x = 0 ==> begin x := 1; end;
