-- Seventy switches: 2^70 states, and in each of them seventy rules fire.
type Number: 1..70;
var on: array [Number] of boolean;
startstate for n: Number do on[n] := false; end; end;
ruleset n: Number do
  rule "switch" true ==> on[n] := !on[n]; end;
end;
