-- States that break an assumption are not there for paths either.
--
-- noether: verdict=holds deadlock=off states=3 canonical=3
-- noether: rumur=no
var x: 0..5;
startstate begin x := 0; end;
rule "on" x < 5 ==> begin x := x + 1; end;
assume "small" x < 3;
ctl "stays small" AG x < 3 & AF x = 2;
ctl "ends" AG (x = 2 -> !EX true & AF x = 2);
