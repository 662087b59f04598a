-- The only enabled rule leads to a symmetric image of the state, not to the state itself. In the quotient that looks like
-- stuttering, but it is no deadlock.
--
-- noether: verdict=holds states=3 canonical=1 rules=6 canonical_rules=2
-- noether: rumur=yes
type P: scalarset(3);
var token: P;
ruleset p: P do startstate begin token := p; end; end;
ruleset p: P do rule "pass" p != token ==> begin token := p; end; end;
