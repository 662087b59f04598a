-- Messages in an unordered network. Its certificate is what faults.py plants faults in.
const N: 3;
type
  Client: scalarset(N);
  Message: record client: Client; end;
var
  waits: array [Client] of boolean;
  net: multiset [N] of Message;

startstate begin
  for c: Client do waits[c] := false; end;
  undefine net;
end;

ruleset c: Client do
  rule "send" !waits[c] ==>
    var m: Message;
  begin
    waits[c] := true;
    m.client := c;
    multisetadd(m, net);
  end;
end;

choose i: net do
  rule "deliver" true ==> begin
    waits[net[i].client] := false;
    multisetremove(i, net);
  end;
end;

invariant "a message for each that waits"
  forall c: Client do waits[c] -> multisetcount(i: net, net[i].client = c) = 1 end;
