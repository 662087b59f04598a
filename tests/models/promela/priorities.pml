/* Priorities that are given, set and asked for, in atomic sequences too; who has moved. */
/* noether: verdict=holds states=89 */
byte x; chan c = [2] of {byte}
active proctype A() priority 5 { byte y; do :: x < 3 -> x++ :: c?y -> skip :: x == 9 -> break od; timeout -> x = get_priority(2) }
active proctype B() priority 2 { x = 7; _priority = 4; x = _priority; c!2; d_step { x = 1; x = 2}; if :: atomic { x == 5; x = 3 } :: x = 9; :: enabled(0) fi }
init { atomic { run A() priority 9; set_priority(0, 3); run B(); } ; x = _last; set_priority(x % 4, x + 1) }
