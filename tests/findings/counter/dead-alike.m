-- v is never read, w is dead until it is written. Whether w counts as live depended on v, and counters had 21 states for
-- 12 orbits.
type S: scalarset(3); E: enum { a, b, c }; V: enum { one, two };
var p: array [S] of record at: E; v: V; w: boolean; end; d: S; g: 0..0; h: 0..0;
ruleset s: S do startstate "one" begin
  for i: S do p[i].at := c; p[i].v := one; p[i].w := true; end; d := s; g := 0; h := 0; end; end;
ruleset s: S do startstate "two" begin
  for i: S do p[i].at := c; p[i].v := two; p[i].w := false; end; d := s; g := 0; h := 0; end; end;
ruleset i: S do rule "to b" p[i].at = a ==> begin p[i].at := b; end; end;
ruleset i: S do rule "to a" p[i].at = c & i = d ==> begin p[i].at := a; end; end;
ruleset i: S do rule "write" exists q: S do i != d end ==> begin p[i].w := i = d | g <= h; end; end;
