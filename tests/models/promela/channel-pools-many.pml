/* A channel variable over more than eight kinds of channels: none of them is left out. */
/* noether: verdict=violated kinds=deadlock states=40 */
chan q0 = [0] of { byte };
chan q1 = [1] of { byte };
chan q2 = [2] of { byte };
chan q3 = [3] of { byte };
chan q4 = [4] of { byte };
chan q5 = [5] of { byte };
chan q6 = [6] of { byte };
chan q7 = [7] of { byte };
chan q8 = [8] of { byte };
chan q9 = [9] of { byte };

active proctype P() {
  chan c = q9;
  byte x;
  if
  :: c = q0
  :: c = q1
  :: c = q2
  :: c = q3
  :: c = q4
  :: c = q5
  :: c = q6
  :: c = q7
  :: c = q8
  :: c = q9
  fi;
  c!1;
  c?x;
  assert(x == 1)
}

active proctype R() {
  byte y;
  q0?y
}
