/* for over a channel of records takes each message out and puts it back. */
/* noether: verdict=holds states=20 */
typedef Parcel { byte weight; bit fragile }
chan shelf = [3] of { Parcel };
byte total;
active proctype Keeper() {
  Parcel one;
  one.weight = 2;
  shelf!one;
  one.weight = 3;
  one.fragile = 1;
  shelf!one;
  for (one in shelf) { total = total + one.weight }
  assert(total == 5 && len(shelf) == 2)
}
