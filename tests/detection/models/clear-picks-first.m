-- Clearing a record puts the first element into its field: that one is distinguished, the others are not.
--
-- detect: order=6 Proc{2,3,4}=full
const n: 4;
type Proc: 1..n; Card: record weight: boolean; owner: Proc; end;
var card: Card; seen: array [Proc] of boolean;
ruleset p: Proc do startstate begin
  for q: Proc do seen[q] := false; end;
  card.weight := false; card.owner := p;
end; end;
ruleset p: Proc do rule "hand on" seen[card.owner] & !seen[p] ==> begin card.owner := p; end; end;
rule "mark" !seen[card.owner] ==> begin seen[card.owner] := true; end;
rule "give back" seen[card.owner] ==> begin clear card; end;
