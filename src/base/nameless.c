#include "base/nameless.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/text.h"

/* A file that never had a name cannot be left behind. Not every system, or file system, has such files: -1. */
static int nameless_open_at_once(const char *folder)
{
#ifdef O_TMPFILE
    return open(folder, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
#else
    (void)folder;
    return -1;
#endif
}

int nameless_open(const char *folder)
{
    struct text path = {0};
    int file = nameless_open_at_once(folder);
    if (file >= 0)
        return file;
    text_format(&path, "%s/noether-XXXXXX", folder);
    file = mkostemp(path.chars, O_CLOEXEC);
    if (file >= 0)
        unlink(path.chars);
    text_free(&path);
    return file;
}
