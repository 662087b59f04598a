var x: 0..3;
startstate begin x := 0; end;
rule true ==> begin for i: 0..2000000000 do for j: 0..99 do x := 1; end; end; end;
