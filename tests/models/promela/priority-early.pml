/* A first value that asks for the priority of a process that is not there yet: 0. */
/* noether: verdict=holds states=7 */
bit flag;
active proctype P() priority 1 {
  bit early = (get_priority(1) == 3 -> 1 : 0);
  byte n = get_priority(1);
  n = n + early;
  flag = (n == 0)
}
active proctype Q() priority 3 { skip; (flag) }
