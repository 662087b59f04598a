/* Nested escapes: the outermost comes first. A rendezvous does not look at the receiver's escapes. */
/* noether: verdict=violated kinds=deadlock states=41 */
chan c = [0] of { bit };
byte x;
bit s, t;
active proctype Inner() {
  {
    {
      c?1;
      x = 1
    } unless {
      (s);
      x = 2
    }
  } unless {
    (t);
    x = 3
  }
}
active proctype Caller() { c!1 }
active proctype Setter() { s = 1; t = 1 }
