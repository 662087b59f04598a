/* A process looks at the place and at a variable of another. */
/* noether: verdict=holds states=72 */
active proctype Machine() {
  byte heat;
  do
  :: (heat < 2) -> heat++
  :: (heat == 2) -> hot: heat = 0
  od
}
active proctype Watcher() {
  byte alarms;
  do
  :: Machine@hot -> alarms = 1
  :: (Machine:heat == 1) -> alarms = 0
  :: (Machine[0]:heat == 2 && !Machine[0]@hot) -> alarms = 2
  od
}
