-- Letters that name two nodes each, of which many are twins: a rule that chooses a letter need not be followed for those
-- that an exchange of twins takes to an earlier one. The order in which a letter names them counts.
--
-- noether: verdict=holds states=19106 canonical=3258 rules=73773 canonical_rules=12709
-- noether: rumur=no

const
  NODES: 3;

type
  Node: scalarset(NODES);
  Letter: record
    is_answer: boolean;
    sender: Node;
    receiver: Node; -- undefined: none
  end;

var
  mail: multiset [3] of Letter;
  sent: array [Node] of boolean;
  last: Node;

startstate
begin
  for n: Node do sent[n] := false; end;
end;

ruleset a: Node do
  ruleset b: Node do
    rule "Send" !sent[a] & multisetcount(i: mail, true) < 3 ==>
      var l: Letter;
    begin
      l.is_answer := false;
      l.sender := a;
      l.receiver := b;
      multisetadd(l, mail);
      sent[a] := a != b;
    end;
  end;

  rule "Send to nobody" !sent[a] & multisetcount(i: mail, true) < 3 ==>
    var l: Letter;
  begin
    undefine l;
    l.is_answer := false;
    l.sender := a;
    multisetadd(l, mail);
    sent[a] := true;
  end;
end;

choose i: mail do
  rule "Answer" !mail[i].is_answer & !isundefined(mail[i].receiver) ==>
    var a: Node; b: Node; l: Letter;
  begin
    a := mail[i].sender;
    b := mail[i].receiver;
    multisetremove(i, mail);
    l.is_answer := true;
    l.sender := b;
    l.receiver := a;
    multisetadd(l, mail);
  end;

  rule "Receive" mail[i].is_answer ==>
  begin
    last := mail[i].sender;
    sent[mail[i].receiver] := false;
    multisetremove(i, mail);
  end;

  rule "Lose" isundefined(mail[i].receiver) ==>
  begin
    sent[mail[i].sender] := false;
    multisetremove(i, mail);
  end;
end;

invariant "Few letters" multisetcount(i: mail, true) <= 3;
