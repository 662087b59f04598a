/* The structure without its guards starts processes without bound; the model has 34 states. */
mtype = { ma, mb, mc };
byte x;
typedef T { byte v; bit b; byte w[2] };
T rec[2];
chan q0 = [1] of { byte };
chan q1 = [1] of { mtype, byte };
inline inc(v) { v = (v + 1) % 3 }
byte a[7];
proctype P() {
  rec[1].w[0] = (rec[1].w[0] + 1) % 3
}
init { byte k; do :: k < 2 -> k++; run P() :: else -> break od; x = 1 }
