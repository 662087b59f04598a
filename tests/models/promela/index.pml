/* An index out of bounds. */
/* noether: verdict=violated kinds=deadlock,index states=26 */
byte a[3];
byte i;
active proctype Walker() {
  do
  :: a[i] = i; i++
  :: (i == 2) -> break
  od
}
