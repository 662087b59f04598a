/* Compiled libraries, as bytes.
 *
 * Code from the cache runs in this process, and a damaged file would crash it or, worse, count wrongly. So a file there
 * ends with a seal: a checksum of all its bytes and of its name, which says what was compiled, how and by what. The
 * bytes that were verified are the bytes that are loaded: they are read once, and no other process can change them
 * afterwards. */
#ifndef NOETHER_EXEC_NATIVE_LIBRARY_H
#define NOETHER_EXEC_NATIVE_LIBRARY_H

#include <stdbool.h>

#include "base/text.h"

struct native_library {
    void *handle; /* NULL: none is loaded */
    int file; /* open as long as it is loaded, -1: none. The loader knows a library by the name of this descriptor */
};

void library_seal(struct text *bytes, const char *key);
/* Takes the seal off. False: there is none for this key and these bytes. */
bool library_unseal(struct text *bytes, const char *key);

bool library_load(struct native_library *library, const struct text *bytes);
const void *library_symbol(const struct native_library *library, const char *name);
void library_unload(struct native_library *library);

#endif
