-- expect: 4:39: error: unknown type "queue"
-- hint: "queue" is written as an array or a multiset
-- errors: 2
type P: scalarset(2); var x: 0..1; q: queue of P;
startstate begin x := 0; end;
rule "a" x = 0 ==> begin x := 1; end;
