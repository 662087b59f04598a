-- expect: 11:1: error: the comment is never closed
-- hint: end it with */

var
  x: 0..3;

startstate
  x := 0;
end;

/* the rules follow
rule begin x := 1; end;
