/* The formula asks for the next step, which may be that a process disappears. */
byte n;

active [2] proctype P() { n++ }

ltl two { [] (n == 2 -> X (n == 2)) }
