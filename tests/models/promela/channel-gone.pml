/* A channel that is used when its process has gone. */
/* noether: verdict=violated kinds=channel */
chan pass = [1] of { chan }; byte x;
proctype Owner() { chan mine = [1] of { byte }; pass!mine }
proctype User() { chan got; pass?got; got!1 }
init { atomic { run User(); run Owner() } }
