-- A message is taken by choose, and copied to all processes but its sender: the loop reads net[k] after it has added
-- elements. It adds them to free slots, so net[k] stays as it was: iterations commute.
const N: 5;
type P: scalarset(N);
     Message: record src: P; hops: 0..1 end;
var net: multiset [N] of Message;
    s: array [P] of enum { idle, asking, done };
startstate
  for p: P do s[p] := idle end;
  undefine net;
end;
ruleset p: P do
  rule "ask" s[p] = idle & multisetcount(i: net, true) = 0 ==>
  var m: Message;
  begin
    m.src := p; m.hops := 0; multisetadd(m, net); s[p] := asking;
  end;
  rule "rest" s[p] = done ==> s[p] := idle; end;
end;
choose k: net do
  rule "cast" net[k].hops = 0 & s[net[k].src] = asking ==>
  var m: Message;
  begin
    for q: P do
      if q != net[k].src & s[q] = idle then
        m.src := q; m.hops := 1 - net[k].hops; multisetadd(m, net);
      end;
    end;
    s[net[k].src] := done;
    multisetremove(k, net);
  end;
  rule "drop" net[k].hops = 1 | s[net[k].src] != asking ==> multisetremove(k, net); end;
end;
