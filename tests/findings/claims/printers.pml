/* Three users share two printers: the lassos that show the violations are short. */
#define NU 3
mtype = { req, grant, rel, nack };
chan toServer = [NU] of { mtype, byte };
chan toUser[NU] = [1] of { mtype };
byte printing = 0;
bool want[NU], has[NU];
byte free = 2;

active [NU] proctype User()
{
  byte me = _pid;
idle:
  do
  :: true ->
     want[me] = true;
     toServer!req(me);
wait: if
     :: toUser[me]?grant ->
cs:     has[me] = true; want[me] = false;
        printing++;
        assert(printing <= 2);
        printing--;
        has[me] = false;
        toServer!rel(me)
     :: toUser[me]?nack ->
        goto retry
     fi;
     goto idle;
retry:
     toServer!req(me);
     goto wait
  od
}

active proctype Server()
{
  byte u;
end:
  do
  :: toServer?req(u) ->
     if
     :: free > 0 -> free--; toUser[u]!grant
     :: else -> toUser[u]!nack
     fi
  :: toServer?rel(u) -> free++
  od
}

ltl safe   { [] (printing <= 2) }
ltl served { [] (want[0] -> <> has[0]) }
ltl some   { [] (want[0] -> <> (has[0] || has[1] || has[2])) }
