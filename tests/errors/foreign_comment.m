-- expect: 4:14: error: "//" does not begin a comment
-- hint: comments begin with -- or stand between /* and */
-- errors: 1
var x: 0..3; // what's that
startstate x := 0; end; // the first
