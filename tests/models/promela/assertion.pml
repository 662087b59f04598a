/* A lost update. */
/* noether: verdict=violated kinds=assertion,deadlock states=243 */
byte count;
active [2] proctype Increment() {
  byte copy;
  copy = count;
  count = copy + 1;
  (_nr_pr == 2 || count > 0) -> assert(count == 2 || _nr_pr < 3)
}
active proctype Judge() { (count == 1) -> assert(count != 1 || count == 1); assert(count == 2) }
