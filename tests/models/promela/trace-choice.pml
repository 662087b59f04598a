/* Two events of a trace assertion that are the same message: an error. */
/* noether: verdict=violated kinds=trace-choice */
chan q = [1] of { byte };
byte x = 1;
active proctype P() { do :: q!x :: q?_ :: x < 3 -> x++ od }
trace {
end:
  do
  :: q!1
  :: q!2
  :: q!3
  :: q?1
  :: q?eval(x)
  od
}
