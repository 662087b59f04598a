/* A d_step that blocks after its first statement is an error. */
/* noether: verdict=violated kinds=d_step-blocks */
byte x;
active proctype Doer() { d_step { x = 1; (x == 2); x = 0 } }
active proctype Other() { x = 2 }
