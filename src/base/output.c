#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/await.h"
#include "base/text.h"
#include "base/watch.h"

static const char output_is_late[] = "nothing read it before the limit or the signal";

/* Uses no stream: its buffer would need memory, and the text may be the message that memory has run out. A pipe or a
 * device can block, and is written only until the watch of the thread is over. */
static const char *write_all(int file, bool can_block, const char *chars, size_t length)
{
    while (length) {
        if (can_block && !await_writable(file))
            return output_is_late;
        ssize_t done = write(file, chars, can_block && length > PIPE_BUF ? PIPE_BUF : length);
        if (done < 0 && (errno == EINTR || (can_block && errno == EAGAIN)))
            continue;
        if (done <= 0)
            return done < 0 ? strerror(errno) : "write failed";
        chars += done;
        length -= (size_t)done;
    }
    return NULL;
}

/* To a pipe or a device. */
static const char *write_directly(const char *path, const char *chars, size_t length)
{
    struct watch watch;
    const char *reason;
    watch_begin_epilogue(&watch);
    int file = await_open_to_write(path);
    if (file < 0) {
        reason = errno == ETIMEDOUT ? output_is_late : strerror(errno);
    } else {
        reason = write_all(file, true, chars, length);
        if (close(file) && !reason)
            reason = strerror(errno);
    }
    watch_end(&watch);
    return reason;
}

static const char *write_standard_output(const char *chars, size_t length)
{
    struct stat status;
    errno = 0;
    if (fflush(stdout))
        return errno ? strerror(errno) : "write failed";
    if (!fstat(STDOUT_FILENO, &status) && S_ISREG(status.st_mode))
        return write_all(STDOUT_FILENO, false, chars, length);
    struct watch watch;
    watch_begin_epilogue(&watch);
    const char *reason = write_all(STDOUT_FILENO, true, chars, length);
    watch_end(&watch);
    return reason;
}

/* The mode that open would give a new file. */
static mode_t mode_of_new(void)
{
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static const char *write_beside(const char *path, mode_t mode, const char *chars, size_t length, char *temporary)
{
    int file = mkstemp(temporary); /* which makes it private */
    if (file < 0)
        return strerror(errno);
    if (fchmod(file, mode))
        errno = 0; /* a file only the owner can read is still an answer */
    const char *reason = write_all(file, false, chars, length);
    if (close(file) && !reason)
        reason = strerror(errno);
    if (!reason && rename(temporary, path))
        reason = strerror(errno);
    if (reason)
        unlink(temporary);
    return reason;
}

const char *output_write(const char *path, const char *chars, size_t length)
{
    if (!strcmp(path, "-"))
        return write_standard_output(chars, length);
    struct stat status;
    bool is_there = !stat(path, &status);
    if (is_there && !S_ISREG(status.st_mode))
        return S_ISDIR(status.st_mode) ? strerror(EISDIR) : write_directly(path, chars, length);
    if (is_there && access(path, W_OK))
        return strerror(errno);
    char real[PATH_MAX];
    if (is_there && realpath(path, real)) /* what a link leads to is replaced, not the link */
        path = real;
    struct text temporary = {0};
    text_format(&temporary, "%s.XXXXXX", path);
    const char *reason =
        write_beside(path, is_there ? status.st_mode & 07777 : mode_of_new(), chars, length, temporary.chars);
    text_free(&temporary);
    return reason;
}

const char *output_refusal(const char *path)
{
    struct stat status;
    if (!strcmp(path, "-"))
        return NULL;
    if (!stat(path, &status) && !S_ISREG(status.st_mode))
        return S_ISDIR(status.st_mode) ? strerror(EISDIR) : access(path, W_OK) ? strerror(errno) : NULL;
    const char *slash = strrchr(path, '/');
    struct text folder = {0};
    text_append_n(&folder, slash ? path : ".", slash ? (size_t)(slash - path) + 1 : 1);
    const char *reason = access(folder.chars, W_OK | X_OK) ? strerror(errno) : NULL;
    text_free(&folder);
    return reason;
}
