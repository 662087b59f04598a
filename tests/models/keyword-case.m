-- Keywords in any case, and every spelling of the ends.
--
-- noether: verdict=holds states=6 canonical=6 rules=12 canonical_rules=12
-- noether: rumur=yes
CONST Max: 3;
Type Counter : 0..Max;
  R : Record
    n : Counter;
  EndRecord;
VAR r : R; even : Boolean;
Function IsEven(n : Counter) : Boolean;
Begin
  Return n % 2 = 0;
EndFunction;
Procedure Bump(Var n : Counter);
Begin
  If n = Max Then
    n := 0;
  Else
    n := n + 1;
  EndIf;
EndProcedure;
StartState "go"
  r.n := 0; even := TRUE;
EndStartState;
RuleSet k : 1..2 Do
  Rule "bump"
    Forall j : 1..2 Do j > 0 EndForall & Exists j : 1..2 Do j = k EndExists
  ==>
  Begin
    For i := 1 To k Do
      Bump(r.n);
    EndFor;
    Switch k Case 1: even := IsEven(r.n); Else even := False; EndSwitch;
    While even & r.n > 2 Do even := false; EndWhile;
    Alias m : r.n Do If m = 1 Then even := FALSE; EndIf; EndAlias;
  EndRule;
EndRuleSet;
INVARIANT even -> r.n % 2 = 0;
