-- expect: 5:19: error: unexpected character "∪"
--

var x: 0..3;
startstate x := 1 ∪ 2; end;
