-- expect: 4:27: error: the record has two fields "a"
--

var m: record a: boolean; a: 0..1; end;
var
  x: 0..3;

startstate
  x := 0;
end;
