type P: scalarset(2); E: enum { A, B };
var s: P; t: P; e: E; b: boolean;
function pick(x: P): P; begin return x; end;
function twice(x: P): P; begin return pick(x); end;
function chosen(x: E): E; begin if b then return A; endif; return x; end;
startstate begin undefine s; undefine t; undefine e; b := false; end;
ruleset p: P do
rule "a" pick(s) != p ==> begin t := twice(s); b := !b; end;
rule "b" b ==> begin s := p; e := chosen(e); end;
rule "c" twice(t) = pick(s) ==> begin undefine t; if !isundefined(e) then b := chosen(e) = A; endif; end;
end;
