-- expect: 5:17: error: unexpected byte 0x01
--

var x: 0..3;
startstate x := ; end;
