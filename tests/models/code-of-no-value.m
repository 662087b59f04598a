-- The predecessors of a set include codes that stand for no value (of a union of four, in three bits). There is no order among
-- their images: the symbolic method `dynamic`, which looks back to see whether the rules can do anything, must leave them alone.
--
-- noether: verdict=violated kind=deadlock trace_length=2
-- noether: rumur=no
type
  PROC: scalarset(2);
  SLOT: scalarset(2);
  KIND: enum { idle, busy };
  NOTE: union { PROC, KIND };
  ENTRY: record links: array [SLOT] of PROC; note: NOTE; end;

var
  entries: array [SLOT] of ENTRY;
  turn: SLOT;
  owner: PROC;
  kind: KIND;
  last: PROC;

ruleset p: PROC; s: SLOT do
  startstate "start"
    for t: SLOT do
      for u: SLOT do
        entries[t].links[u] := p;
      end;
    end;
    turn := s;
    owner := p;
    last := p;
  end;
end;

rule "note" !isundefined(kind) ==>
  entries[turn].note := kind;
end;

rule "idle" true ==>
  kind := idle;
end;

invariant "same" owner = last;
