-- expect: 5:17: error: unknown name "limit"
-- hint: it is declared later, in line 6; a declaration comes before its use

var x: 0..3;
startstate x := limit; end;
const limit: 3;
