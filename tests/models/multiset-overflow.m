-- One element too many is an error of the model.
--
-- noether: verdict=violated kind=runtime trace_length=3
-- noether: rumur=no
var bag: multiset [2] of 0..1;
startstate begin undefine bag; end;
rule "add" var one: 0..1; begin one := 1; multisetadd(one, bag); end;
