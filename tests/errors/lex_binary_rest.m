-- expect: 5:12: error: unexpected byte 0x02
--
-- errors: 1
var x: 0..3;
startstate ÿ( end' 
