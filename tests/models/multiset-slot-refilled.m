-- Two slots are freed and one filled: whether it is the first of them depends on the order of the multiset's elements, and so
-- on the numbering of N. N is not used, and the error that only one numbering meets is found.
--
-- noether: verdict=violated kind=runtime deadlock=stuck trace_length=2
-- noether: rumur=no
type N: scalarset(2); Item: record n: N; tag: 0..1; end;
var bag: multiset [2] of Item; last: 0..1; step: 0..2;
startstate begin undefine bag; last := 0; step := 0; end;
ruleset i: N; j: N do
  rule "fill" step = 0 & i != j ==> var item: Item; begin
    item.n := i; item.tag := 0; multisetadd(item, bag);
    item.n := j; item.tag := 1; multisetadd(item, bag);
    step := 1;
  end;
end;
choose a: bag do choose b: bag do
  rule "exchange" step = 1 & bag[a].tag = 0 & bag[b].tag = 1 ==> var item: Item; begin
    item := bag[a];
    multisetremove(a, bag); multisetremove(b, bag);
    multisetadd(item, bag);
    last := bag[a].tag;
    step := 2;
  end;
end; end;
rule "rest" step = 2 ==> begin step := 2; end;
