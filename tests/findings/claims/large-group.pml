/* The values of l fall into 125 pairs that no statement tells apart: the order of their group takes long to prove. */
typedef T { byte v; byte w[2] };
T rec[2];
byte x, y;
bool flag[6];
byte mine[6];
chan q = [0] of { byte };
proctype P() {
  byte l;
  do :: l = 1 - l; q!_pid :: _pid == 1 -> q?l od
}
init { atomic { run P(); run P(); run P() }; x = 1 }
