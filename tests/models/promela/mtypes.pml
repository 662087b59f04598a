/* mtype names are numbered backwards; subtypes count for themselves. */
/* noether: verdict=holds states=5 */
mtype = { first, second, third };
mtype:colour = { red, green };
mtype = { fourth };
mtype at = first;
mtype:colour paint = green;
active proctype Namer() {
  assert(first == 3 && third == 1 && fourth == 4 && red == 2 && green == 1);
  at = fourth;
  paint = red
}
