/* The manifest of a checkpoint (checkpoint.h): written whole, or not at all. */
#ifndef NOETHER_STORE_MANIFEST_H
#define NOETHER_STORE_MANIFEST_H

#include "base/json.h"

struct manifest {
    struct json *about, *search, *files;
};

/* The old one stays until the new one is on the disk. NULL, or why not: then the old one is what there is. */
const char *manifest_write(int folder, const struct manifest *manifest);
/* False, and why: there is none, it is of another version, or it is damaged. The parts are the caller's to free. */
bool manifest_read(int folder, struct manifest *manifest, struct text *why);
bool manifest_is_there(int folder);
void manifest_remove(int folder);

/* The same with its text. */
void manifest_print(const struct manifest *manifest, struct text *out);
bool manifest_parse(const char *chars, size_t length, struct manifest *manifest, struct text *why);

#endif
