/* An atomic sequence gives way to a process of a higher priority. */
/* noether: verdict=violated kinds=deadlock states=20 */
byte x;
proctype A() { do :: x < 3 -> x++ :: x == 9 -> break od; }
proctype B() { x = 7;  if :: x = 9; :: x = 2 fi }
init { atomic { run A() priority 9; set_priority(0, 3); run B(); } ; set_priority(x % 4, x + 1) }
