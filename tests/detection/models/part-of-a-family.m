-- An array over a part of a family has no cell for the other elements; what the rules tell apart is looked at, too.
--
-- detect: order=2 T{2,3}=full
type
  T: 1..4;
  U: 0..1;
  S: 1..3;
  K: 0..2;
  Rec: record src: T; u: U; k: 0..1; end;
var
  c: K;
  bs: array [S] of boolean;
  w: array [T] of array [T] of boolean;
function fn0(par0: T): T; begin return (par0 > 1 ? 1 : par0); end;
procedure fn1(var par1: T); begin if !isundefined(par1) then par1 := par1; end; end;
ruleset s0: U do startstate begin for z: T do for y: T do w[z][y] := false; end; end; c := 0; for z: S do bs[z] := false; end; end; end;
rule "w0.1" c != 0 ==> begin w[2][2] := w[fn0(2)][2]; end;
rule "w0.3" c != 0 ==> begin w[4][4] := w[fn0(4)][4]; end;
rule "w0.0" c != 0 ==> begin w[1][1] := w[fn0(1)][1]; end;
rule "w0.2" c != 0 ==> begin w[3][3] := w[fn0(3)][3]; end;
ruleset i10: S do rule "r1" bs[i10] ==> begin c := (c = 2 ? 0 : c + 1); bs[i10] := w[i10][fn0(i10)]; end; end;
ruleset i20: T do rule "r2" i20 > i20 ==> begin w[i20][i20] := i20 = i20; end; end;
