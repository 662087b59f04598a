/* A queue lock; NIL is the number behind those of the processes. */
#ifndef N
#define N 3
#endif
#ifndef NIL
#define NIL N
#endif
byte tail = NIL; byte next[N] = NIL; bool locked[N]; byte in;
proctype p(byte me) {
  byte pred = NIL;
  do
  :: atomic { next[me] = NIL; locked[me] = true }
     atomic { pred = tail; tail = me }
     if
     :: pred == NIL -> skip
     :: pred != NIL -> d_step { next[pred] = me; pred = NIL }; !locked[me]
     fi;
     in++; assert(in == 1); in--;
     if
     :: next[me] == NIL ->
        if
        :: atomic { tail == me -> tail = NIL; pred = NIL }
        :: tail != me -> next[me] != NIL; locked[next[me]] = false; pred = NIL
        fi
     :: next[me] != NIL -> locked[next[me]] = false; pred = NIL
     fi
  od
}
init { byte i; atomic { for (i : 0 .. N - 1) { run p(i) } } }
