#include "memory_file.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/memory.h"

const char *memory_file(enum memory_file number, const void *bytes, size_t size)
{
    static char paths[MEMORY_FILE_COUNT][32];
    static int files[MEMORY_FILE_COUNT];
    if (!paths[number][0]) {
        files[number] = memfd_create("fuzz", MFD_CLOEXEC);
        ENSURE(files[number] >= 0);
        snprintf(paths[number], sizeof paths[number], "/proc/self/fd/%d", files[number]);
    }
    ENSURE(!ftruncate(files[number], 0));
    ENSURE(pwrite(files[number], bytes, size, 0) == (ssize_t)size);
    return paths[number];
}
