var x: 0..3;
startstate x := 0; end;
rule "r" x = 0 ==> for i := 3 to 1 do x := i; end; end;
