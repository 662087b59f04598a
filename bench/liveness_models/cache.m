-- Interchangeable caches of one line (invalid, shared, exclusive, modified) and a directory that serves one request at a time: it
-- asks the others to give up the line, reads it when they have, and grants it.
--
-- "granted" holds under strong fairness of caches only: the directory takes up any request, hence under weak fairness
-- one may be passed over for ever. cache.pml is the same system for SPIN, which has weak fairness.

const N: 3;

type
  Cache: scalarset(N);
  State: enum { I, S, E, M };
  Request: enum { Nothing, Read, Write };

var
  line: array [Cache] of State;
  ask: array [Cache] of Request;
  recall: array [Cache] of boolean;   -- is to give up the line
  client: Cache;                      -- whose request is served; undefined: none
  has_line: boolean;                  -- the directory, for the client

startstate begin
  for c: Cache do
    line[c] := I;
    ask[c] := Nothing;
    recall[c] := false;
  end;
  undefine client;
  has_line := false;
end;

ruleset c: Cache do
  rule "read miss" line[c] = I & ask[c] = Nothing ==> begin ask[c] := Read end;
  rule "write miss" (line[c] = I | line[c] = S) & ask[c] = Nothing ==> begin ask[c] := Write end;
  rule "write" line[c] = E & !recall[c] ==> begin line[c] := M end;
  rule "evict" line[c] = S & ask[c] = Nothing & !recall[c] ==> begin line[c] := I end;

  rule "take up" ask[c] != Nothing & isundefined(client) ==>
  begin
    client := c;
    for d: Cache do
      recall[d] := d != c & line[d] != I & (line[d] != S | ask[c] = Write);
    end;
  end;

  rule "give up" recall[c] ==>
  begin
    line[c] := ask[client] = Write ? I : S;
    recall[c] := false;
  end;

  rule "read it" !isundefined(client) & client = c & !has_line & forall d: Cache do !recall[d] end ==>
  begin
    has_line := true;
  end;

  rule "grant" has_line & client = c ==>
  begin
    has_line := false;
    line[c] := ask[c] = Write ? E : S;
    ask[c] := Nothing;
    undefine client;
  end;
end;

ltl "granted" forall c: Cache do ask[c] != Nothing leadsto ask[c] = Nothing end;
