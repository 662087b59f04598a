/* What several threads write stands apart from what others read meanwhile, or one waits for the other's cache line
 * without need. */
#ifndef NOETHER_BASE_LINE_H
#define NOETHER_BASE_LINE_H

/* Bytes between the two, wherever the whole begins: two lines of 64 bytes, which some processors fetch as a pair. */
enum { LINE_APART = 128 };

#endif
