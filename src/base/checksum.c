#include "base/checksum.h"

#include <string.h>

#include "base/hash.h"

void checksum_add(struct checksum *checksum, const void *bytes, size_t length)
{
    const unsigned char *from = bytes;
    while (length) {
        size_t part = CHECKSUM_CHUNK - checksum->filled;
        part = part < length ? part : length;
        memcpy(checksum->chunk + checksum->filled, from, part);
        checksum->filled += part;
        from += part;
        length -= part;
        if (checksum->filled == CHECKSUM_CHUNK) {
            checksum->hash = hash_combine(checksum->hash, hash_bytes(checksum->chunk, CHECKSUM_CHUNK));
            checksum->filled = 0;
        }
    }
}

uint64_t checksum_end(struct checksum *checksum)
{
    return hash_combine(hash_combine(checksum->hash, hash_bytes(checksum->chunk, checksum->filled)), checksum->filled);
}

void checksum_put_number(unsigned char *bytes, uint64_t number)
{
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(number >> 8 * i);
}

uint64_t checksum_get_number(const unsigned char *bytes)
{
    uint64_t number = 0;
    for (int i = 0; i < 8; i++)
        number |= (uint64_t)bytes[i] << 8 * i;
    return number;
}
