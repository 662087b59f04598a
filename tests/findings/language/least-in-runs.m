var x: -2147483648..3;
startstate begin x := -2147483646; end;
rule "b" true ==> begin x := x - 1; end;
ctl "c" AG x < 0;
ltl "l" F x = 3;
liveness "v" x = -2147483646;
cover "g" x = -2147483648;
