/* Polling, and questions about channels. */
/* noether: verdict=violated kinds=deadlock states=38 */
chan box = [2] of { byte, bit };
active proctype Filler() {
  do
  :: nfull(box) -> box!1,0
  :: empty(box) -> box!2,1
  od
}
active proctype Emptier() {
  byte v;
  do
  :: box?[2,_] -> box?2,_
  :: box??[eval(v + 1),0] -> box??1,0
  :: full(box) && len(box) == 2 -> box?v,_
  :: nempty(box) -> box?<v,0>
  od
}
