-- expect: 5:16: error: a temporal formula cannot stand inside a choose
--
var m: multiset [2] of boolean;
startstate begin undefine m; end;
choose s: m do ctl "a" AF m[s]; end;
