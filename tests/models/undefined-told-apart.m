-- Whether the undefined p is read depends on which element q is, though the formula is false for all of them: elements
-- are distinguished by what goes wrong.
--
-- noether: verdict=violated kind=runtime trace_length=1
-- noether: rumur=yes
type T: 1..3;
var q: T; p: T; b: array [T] of boolean;
ruleset i: T do startstate begin q := i; undefine p; for j: T do b[j] := false; end; end; end;
ruleset i: T do rule "move" true ==> begin q := i; b[i] := true; end; end;
rule "fails for 2 only" q = 2 & p != p ==> begin b[q] := false; end;
