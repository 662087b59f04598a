-- Two families of objects: their elements were made to correspond to each other where states were compared.
type
  P0: 1..3;
  P1: 0..1;
  E0: enum { e0a, e0b };
  R0: 0..2;
var
  at: array [P0] of E0;
  at1: array [P1] of E0;
  h10: array [P1] of boolean;
  h11: array [P1] of R0;
  g4: P1;
  g5: P1;
  g6: P1;
  g7: boolean;
  startstate "start 7"
    for f3: P0 do
      at[f3] := e0a;
    end;
    for f4: P1 do
      at1[f4] := e0a;
    end;
    for f5: P1 do
      h10[f5] := false;
    end;
    for f6: P1 do
      h11[f6] := 1;
    end;
    g7 := false;
  end;
ruleset i8: P0 do
  rule "r9"
    (at[i8] = e0a)
  ==>
  begin
    at[i8] := e0b;
    g5 := 1;
    at[2] := e0b;
  end;
end;
ruleset i8: P0 do
  rule "r10"
    (at[i8] = e0b)
  ==>
  begin
    at[i8] := e0a;
    clear g6;
    clear g4;
  end;
end;
ruleset i11: P1 do
  rule "r12"
    (at1[i11] = e0b)
  ==>
  begin
    at1[i11] := e0a;
    at[1] := e0b;
    if (g5 != 0) then
      g5 := (g5 - 1);
    end;
  end;
end;
ruleset i14: P1 do
  rule "r16"
    (g6 != 0)
  ==>
  var v17: P0;
  begin
    for f18: E0 do
      at[3] := f18;
    end;
  end;
end;
ruleset i21: P1; i22: P1; i23: R0 do
  rule "move 24"
    ((h10[i21] | (g5 != i23)) | (g5 = (-1)))
  ==>
  begin
    h11[i22] := i23;
  end;
end;
ruleset i25: P1 do
  rule "move 26"
    (2 <= h11[i25])
  ==>
  begin
    g5 := i25;
  end;
end;
ruleset i27: P1 do
  rule "move 28"
    (((at1[i27] = e0a) | ((!isundefined(g4)) & (g4 != g6))) | (g5 < h11[i27]))
  ==>
  begin
    g6 := i27;
  end;
end;
