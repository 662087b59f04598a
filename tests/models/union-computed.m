-- A value that is stored in a union is an element of its type, also where it is computed: colours are told apart by `choose` and
-- by the conditional, and not by the rest of the model.
--
-- noether: verdict=holds states=40 canonical=40 rules=320 canonical_rules=320
-- noether: rumur=no
type
  Colour: enum { red, green, blue };
  Way: enum { left, right };
  Seen: union { Colour, Way };

var
  first, second, free: Seen;
  way: Way;

function choose(w: Way): Seen;
begin
  return blue;
end;

ruleset w: Way do
  startstate
  begin
    first := w;
    second := w;
    free := w;
    way := w;
  end;
end;

rule "first"
begin
  first := (way = left ? red : green);
end;

rule "second"
begin
  second := (way = left ? red : green);
end;

rule "choose"
begin
  free := choose(left);
end;

ruleset c: Seen do
  rule "free"
  begin
    free := c;
  end;
end;

-- The two have one colour, once both have one: under a permutation of the colours, which is none of the model, they would not.
invariant "alike"
  !ismember(first, Way) & !ismember(second, Way) -> first = second;
