-- expect: 4:8: error: the range -2147483649..0 does not fit 32 bits
-- hint: values are from -2147483647 to 2147483647
-- errors: 1
var x: -2147483649..0;
startstate x := 0; end;
