#include "base/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *reason_of(int error)
{
    return error == ELOOP ? "it is a symbolic link, which is not followed" : strerror(error);
}

const char *folder_create_file(int folder, const char *name, int *file)
{
    if (unlinkat(folder, name, 0) && errno != ENOENT) {
        *file = -1;
        return reason_of(errno);
    }
    *file = openat(folder, name, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    return *file < 0 ? reason_of(errno) : NULL;
}

const char *folder_open_file(int folder, const char *name, int flags, int *file)
{
    struct stat status;
    const char *reason = NULL;
    *file = openat(folder, name, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (*file < 0)
        return reason_of(errno);
    if (fstat(*file, &status))
        reason = strerror(errno);
    else if (!S_ISREG(status.st_mode))
        reason = "it is no regular file";
    else if ((flags & O_ACCMODE) != O_RDONLY && status.st_nlink > 1)
        reason = "it has other names (hard links), and would change under them: copy the folder";
    if (!reason)
        return NULL;
    close(*file);
    *file = -1;
    return reason;
}
