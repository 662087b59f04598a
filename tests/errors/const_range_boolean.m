-- expect: 4:8: error: expected a type, found "false"
--

var x: false..true;
startstate
  x := 0;
end;
