/* An atomic sequence is one step; between two of them others may move. */
/* noether: verdict=holds states=16 */
byte sum;
active [2] proctype Adder() {
  atomic { sum++; sum = sum * 2; sum = sum % 5 }
  atomic { sum = sum + 3; sum = sum % 4 }
}
