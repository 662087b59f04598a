-- expect: error: this is a PRISM model, which was read as a Murphi model
-- hint: say --language prism, or name it as PRISM models are (.prism .pm .nm .sm)
-- errors: 1
// PRISM has other comments
dtmc
module m
  x : [0..3] init 0;
  [] x<3 -> 0.5:(x'=x+1) + 0.5:(x'=0);
endmodule
