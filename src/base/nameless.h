/* Files without a name: nothing is left behind, however the process ends. */
#ifndef NOETHER_BASE_NAMELESS_H
#define NOETHER_BASE_NAMELESS_H

/* One in the folder, for reading and writing. Less than 0: errno says why there can be none. */
int nameless_open(const char *folder);

#endif
