-- ?: nested, in arguments, as part of guards; only the chosen arm is evaluated.
--
-- noether: verdict=holds states=34 canonical=34 rules=52 canonical_rules=52
-- noether: rumur=yes
var x: 0..5; y: 0..5;
function Clamp(n: 0..10): 0..5; begin return n > 5 ? 5 : n; end;
startstate begin x := 0; y := 0; end;
rule "step" (x < 3 ? true : y < 4) ==> begin
  x := x = 5 ? 0 : (x = 4 ? 5 : x + 1);
  y := Clamp(y + (x > 2 ? 2 : 1));
end;
rule "reset" x > 1 ==> begin y := y = 0 ? 0 : (6 / y > 1 ? 1 : 0); end;
