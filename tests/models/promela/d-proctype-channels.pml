/* Choices of a D_proctype between channel operations. */
/* noether: verdict=violated kinds=choice states=20 */
chan q = [2] of { byte }; byte v;
active [2] D_proctype P() { if :: q!1 :: q?v fi; if :: empty(q) :: q?2 :: nempty(q) fi }
