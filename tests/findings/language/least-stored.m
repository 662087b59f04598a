-- stores the least value: unknown in every engine
type small: -2147483648..3;
var x: small; y: -2147483648..2147483647; r: record a: small; end;
function f(v: small): small; begin return v - 1; end;
startstate begin x := 0; y := 5; undefine r; end;
rule "a" x = 0 ==> begin x := -2147483647; end;
rule "b" x < 0 ==> begin x := f(x); end;
invariant x > -2147483648;
