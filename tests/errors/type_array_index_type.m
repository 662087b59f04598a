-- expect: 4:15: error: the index type of an array must be simple, not record {b: boolean}
--

var a: array [record b: boolean; end] of boolean;
startstate
  x := 0;
end;
