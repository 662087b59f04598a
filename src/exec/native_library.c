#include "exec/native_library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/memory.h"
#include "exec/native_files.h"

static const char SEAL_MARK[16] = "noether-library1";

struct seal {
    char mark[sizeof SEAL_MARK];
    uint64_t length, key, checksum;
};

/* The key takes part twice: a file under another's name is as wrong as a damaged one. */
static struct seal seal_of(const char *bytes, size_t length, const char *key)
{
    struct seal seal = {.length = length, .key = hash_bytes(key, strlen(key))};
    memcpy(seal.mark, SEAL_MARK, sizeof seal.mark);
    seal.checksum = hash_combine(hash_combine(hash_bytes(bytes, length), seal.key), length);
    return seal;
}

void library_seal(struct text *bytes, const char *key)
{
    struct seal seal = seal_of(text_chars(bytes), bytes->length, key);
    text_append_n(bytes, (const char *)&seal, sizeof seal);
}

bool library_unseal(struct text *bytes, const char *key)
{
    if (bytes->length <= sizeof(struct seal))
        return false;
    size_t length = bytes->length - sizeof(struct seal);
    struct seal expected = seal_of(bytes->chars, length, key);
    if (memcmp(bytes->chars + length, &expected, sizeof expected))
        return false;
    bytes->length = length;
    return true;
}

/* A file in memory that has no name. Where programs in memory are forbidden or unknown: -1. */
static int make_memory_file(void)
{
#if defined(MFD_CLOEXEC)
    enum { NOETHER_MFD_EXEC = 0x10 }; /* kernels since 6.3 want to be told; older ones do not know it */
    int file = memfd_create("noether", MFD_CLOEXEC | NOETHER_MFD_EXEC);
    return file >= 0 ? file : memfd_create("noether", MFD_CLOEXEC);
#else
    return -1;
#endif
}

static bool load_from_memory(struct native_library *library, const struct text *bytes)
{
    char name[40];
    library->file = make_memory_file();
    if (library->file < 0)
        return false;
    snprintf(name, sizeof name, "/proc/self/fd/%d", library->file);
    if (files_fill(library->file, bytes->chars, bytes->length))
        library->handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library->handle) {
        close(library->file);
        library->file = -1;
    }
    return library->handle;
}

/* A directory that only the user can look into, for as long as it takes. */
static bool load_from_file(struct native_library *library, const struct text *bytes)
{
    char *directory = files_work(NULL);
    if (!directory)
        return false;
    char *path = files_join(directory, "model.so");
    if (files_write(path, bytes->chars, bytes->length))
        library->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    files_remove_work(directory);
    free(path);
    free(directory);
    return library->handle;
}

bool library_load(struct native_library *library, const struct text *bytes)
{
    *library = (struct native_library){.file = -1};
    return bytes->length && (load_from_memory(library, bytes) || load_from_file(library, bytes));
}

const void *library_symbol(const struct native_library *library, const char *name)
{
    return dlsym(library->handle, name);
}

void library_unload(struct native_library *library)
{
    if (!library->handle)
        return;
    dlclose(library->handle);
    if (library->file >= 0)
        close(library->file);
    *library = (struct native_library){.file = -1};
}
