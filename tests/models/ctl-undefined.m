-- A proposition that cannot be evaluated in a reachable state is an error of the property.
--
-- noether: verdict=violated kind=ctl property="never two" trace_length=2
-- noether: rumur=no
var x: 0..2; n: 0..3;
startstate begin x := 0; n := 0; end;
rule "on" n < 3 ==> begin n := n + 1; if n = 2 then undefine x; end; end;
rule "around" n = 3 ==> begin n := 0; x := 0; end;
ctl "never two" AG x != 2;
ctl "where it is defined" AG (!isundefined(x) -> x != 2);
