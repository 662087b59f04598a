/* The checksum of a file that is read or written a piece at a time, and numbers in files. */
#ifndef NOETHER_BASE_CHECKSUM_H
#define NOETHER_BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

enum { CHECKSUM_CHUNK = 1 << 16 };

/* Of hashes of whole chunks, but for the last. All zero: nothing was added. */
struct checksum {
    uint64_t hash;
    size_t filled;
    unsigned char chunk[CHECKSUM_CHUNK];
};
void checksum_add(struct checksum *checksum, const void *bytes, size_t length);
uint64_t checksum_end(struct checksum *checksum);

/* 8 bytes, the least first. */
void checksum_put_number(unsigned char *bytes, uint64_t number);
uint64_t checksum_get_number(const unsigned char *bytes);

#endif
