#include "base/await.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <time.h>

#include "base/watch.h"

enum { AWAIT_MILLISECONDS = 20 };

static bool await_file(int file, short events)
{
    struct pollfd asked = {.fd = file, .events = events};
    int count;
    do {
        count = poll(&asked, 1, AWAIT_MILLISECONDS);
        if (count > 0 || (count < 0 && errno != EINTR))
            return true; /* if it is an error, the read or write says which */
    } while (!watch_is_up());
    return false;
}

bool await_readable(int file)
{
    return await_file(file, POLLIN);
}

bool await_writable(int file)
{
    return await_file(file, POLLOUT);
}

int await_open_to_read(const char *path)
{
    return open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

int await_open_to_write(const char *path)
{
    struct timespec nap = {0, AWAIT_MILLISECONDS * 1000000L};
    int file;
    while ((file = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)) < 0 && errno == ENXIO) {
        if (watch_is_up()) {
            errno = ETIMEDOUT;
            return -1;
        }
        nanosleep(&nap, NULL);
    }
    return file;
}
