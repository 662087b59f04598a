/* The int -2147483648 in messages, in parameters, in rendezvous, sorted and searched, and as a remote value. */
/* noether: verdict=holds states=18 */
chan q = [2] of { int, byte }; chan meet = [0] of { int };
proctype P(int v) {
  int w = v;
  assert(w < 0 && v == -2147483647 - 1); w = w + 1; q!w,1; meet!v; end: false
}
active proctype A() {
  int got; byte k;
  run P(-2147483647 - 1); q?got,k; assert(got == -2147483647);
  q!got - 1,3; q!!-2147483647 - 1,2; q?<got,k>; assert(got < -2147483647 && k == 2);
  q??2147483648,k; assert(k == 2); assert(q?[2147483648,3]); q?eval(got),k; assert(k == 3);
  meet?got; assert(got == -got && P:w == got + 1); end: got > 0
}
