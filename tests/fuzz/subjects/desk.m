-- A subject for fuzzing traces and properties: every kind of value that a state can hold, and a run for every kind of verdict.
const N: 2;
type
  guest: scalarset(N);
  mood: enum {calm, cross};
  letter: record for_whom: guest; weight: 0..2; end;
var
  at: array [guest] of mood;
  post: multiset [2] of letter;
  last: guest;
  days: 0..3;
  open: boolean;

startstate "morning" begin
  for g: guest do at[g] := calm; end;
  undefine last; days := 0; open := false;
end;

ruleset g: guest do
  rule "write" multisetcount(i: post, true) < 2 ==>
    var new: letter;
  begin new.for_whom := g; new.weight := days % 3; multisetadd(new, post); last := g; end;
  rule "upset" at[g] = calm & days > 0 ==> begin at[g] := cross; end;
  choose i: post do rule "read" post[i].for_whom = g ==> begin multisetremove(i, post); at[g] := calm; end; end;
end;
rule "next day" days < 3 ==> begin days := days + 1; open := !open; end;
rule "too far" days = 3 & open ==> begin days := days + 1; end;

invariant "all calm" forall g: guest do at[g] = calm end;
invariant "named" !isundefined(last) | multisetcount(i: post, true) = 0;
cover "everybody is cross" forall g: guest do at[g] = cross end;
liveness "opens" open;
liveness "stays closed" days = 0;
ctl "can be calm again" AG EF forall g: guest do at[g] = calm end;
ctl "nobody stays cross" AG forall g: guest do at[g] = cross -> AF at[g] = calm end;
