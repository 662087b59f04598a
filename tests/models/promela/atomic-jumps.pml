/* Jumps out of atomic sequences, into them, and from one into another. */
/* noether: verdict=holds states=30 */
byte level;
active proctype Jumper() {
  atomic { level = 1; goto outside; level = 9 }
  atomic { level = 2; inside: level = 3; level = 4 }
  level = 5;
  goto done;
outside:
  level = 6;
  goto inside;
done:
  skip
}
active proctype Other() { level = 0 }
