-- expect: 6:1: error: fairness is not supported
-- hint: the paths of CTL formulas are all paths, fair or not
var x: boolean;
startstate begin x := false; end;
rule x ==> begin x := false; end;
fairness "x" x;
ctl "a" AF x;
