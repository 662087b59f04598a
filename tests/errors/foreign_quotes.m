-- expect: 6:6: error: unexpected character "'"
-- hint: strings stand between double quotes
-- errors: 1
var x: 0..3;
startstate x := 0; end;
rule 'count up' x < 3 ==> x := x + 1; end;
