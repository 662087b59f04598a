-- A cover statement looks at every step: partial-order reduction leaves nothing out.
var x: 0..2;
startstate x := 0; end;
rule "up" x < 2 ==> x := x + 1; cover "top" x = 2; end;
