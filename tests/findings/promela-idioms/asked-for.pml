/* A remote reference asks where a process stands: it may be gone. */
byte n;

active [2] proctype P() { n++; P_done: n-- }
active proctype Q() { wait: P[0]@P_done -> n = 5 }
