/* A run that ends is no cycle, and so no lack of progress. */
/* noether: verdict=holds states=3 */
/* noether: progress=holds */
byte x;
active proctype A() { x = 1; progress: x = 2 ; end: x > 5}
