type L: 0..5;
var x: 0..200; d: 0..120;
function fact(n: 0..5): 0..200; begin if n = 0 then return 1 else return n * fact(n-1) end end;
procedure down(n: 0..200); begin if n > 0 then down(n-1) end; end;
startstate begin x:=0; d:=90; end;
rule "f" x=0 ==> x := fact(5); end;
rule "g" x=120 ==> begin down(d); x:=1; end;
rule "deep" x=1 & d<120 ==> begin d:=d+1; down(d); end;
