/* A trace assertion that is met: a and b take turns, in the requests and in the answers. */
/* noether: verdict=holds states=19 */
mtype = { a, b };
chan ask = [1] of { mtype };
chan answer[2] = [0] of { mtype, bit };
active proctype Client() {
  bit x;
end:
  do
  :: ask!a; answer[0]?a,x; ask!b; answer[0]?b,x
  :: ask!a; answer[1]?a,x; ask!b; answer[1]?_,x
  od
}
active proctype Server() {
  mtype m;
end:
  do
  :: ask?m ->
    if
    :: answer[0]!m,1
    :: answer[1]!m,0
    fi
  od
}
trace {
end_turns:
  do
  :: ask!a -> ask?a;
    if
    :: answer[0]?a,1
    :: answer[1]?a,_
    fi;
    ask!b; ask?_;
    if
    :: answer[0]?b,_
    :: answer[1]?b,0
    fi
  od
}
