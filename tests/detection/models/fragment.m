-- Survey, section 7.1: if tok > 3 then tok := 1.
--
-- detect: order=4 Proc{2,3}=full Proc{4,5}=full
type Proc: 1..5;
var State: array [Proc] of enum {N, T, C}; tok: Proc;
ruleset first: Proc do startstate begin for p: Proc do State[p] := N; end; tok := first; end; end;
ruleset p: Proc do
  rule "try" State[p] = N ==> begin State[p] := T; end;
  rule "enter" State[p] = T & tok = p ==> begin State[p] := C; end;
  rule "leave" State[p] = C ==> begin State[p] := N; if tok > 3 then tok := 1; end; end;
  rule "take" State[p] = N ==> begin tok := p; end;
end;
