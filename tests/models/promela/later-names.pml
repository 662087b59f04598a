/* A variable of a process may have the name of a proctype that comes later. */
/* noether: verdict=holds states=30 */
byte x;
proctype P(byte server) { x = server; server = 3; (server == 3) }
proctype server() { x = 1 }
init { run P(2); run server() }
