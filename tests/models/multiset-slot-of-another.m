-- The slot of one multiset used on another: what is found there depends on the order of the elements, and so on the numbering
-- of N. N is not used, and the error that only one numbering meets is found.
--
-- noether: verdict=violated kind=runtime trace_length=2
-- noether: rumur=no
type N: scalarset(2); Item: record n: N; tag: 0..1; end; Bag: multiset [2] of Item;
var bag: Bag; other: Bag; last: 0..1; step: 0..2;
startstate begin undefine bag; undefine other; last := 0; step := 0; end;
ruleset i: N; j: N do
  rule "fill" step = 0 & i != j ==> var item: Item; begin
    item.n := i; item.tag := 0; multisetadd(item, bag); multisetadd(item, other);
    item.n := j; item.tag := 1; multisetadd(item, bag);
    step := 1;
  end;
end;
choose a: bag do
  rule "look" step = 1 & bag[a].tag = 0 ==> begin last := other[a].tag; step := 2; end;
end;
rule "rest" step = 2 ==> begin step := 1; end;
