#include "base/hash.h"

#include <xxhash.h>

uint64_t hash_bytes(const void *data, size_t length)
{
    return XXH3_64bits(data, length);
}
