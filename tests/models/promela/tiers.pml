/* Clients of two servers over rendezvous channels: numbers of channels that index nothing, and a group that is a wreath product. */
/* noether: verdict=holds states=26 canonical=7 */
mtype = { request, response };
chan ask1 = [0] of { mtype, chan };
chan ask2 = [0] of { mtype, chan };
chan c1 = [0] of { mtype };
chan c2 = [0] of { mtype };
chan c3 = [0] of { mtype };
chan c4 = [0] of { mtype };

proctype client(chan mine; chan desk)
{
end:	do
	:: desk!request, mine; mine?response
	od
}

proctype server(chan ask)
{
	chan who;
end:	do
	:: ask?request, who -> who!response
	od
}

init {
	atomic {
		run server(ask1);
		run server(ask2);
		run client(c1, ask1);
		run client(c2, ask1);
		run client(c3, ask2);
		run client(c4, ask2)
	}
}
