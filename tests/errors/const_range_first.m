-- expect: 6:24: error: what is cleared cannot be T: no variable can hold its first value
-- expect: 7:12: error: what a variable runs over cannot be T: no variable can hold its first value
-- errors: 2
type T: -2147483648..3;
var x: T;
startstate begin clear x; end;
ruleset t: T do rule x = t ==> begin x := t; end; end;
