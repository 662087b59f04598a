-- A grid that wraps around: each direction turns by itself.
--
-- detect: order=12 Row{*}=cyclic Column{*}=cyclic
const rows: 3; columns: 4;
type Row: 0..rows - 1; Column: 0..columns - 1;
var at: array [Row] of array [Column] of boolean;
ruleset r: Row; c: Column do startstate begin clear at; at[r][c] := true; end; end;
ruleset r: Row; c: Column do
  rule "down" at[r][c] ==> begin at[r][c] := false; at[(r + 1) % rows][c] := true; end;
  rule "right" at[r][c] ==> begin at[r][c] := false; at[r][(c + 1) % columns] := true; end;
end;
