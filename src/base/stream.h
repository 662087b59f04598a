/* A file that is read while memory is asked for: it is closed where there is none (base/account.h). */
#ifndef NOETHER_BASE_STREAM_H
#define NOETHER_BASE_STREAM_H

#include <stdbool.h>
#include <stdio.h>

#include "base/account.h"

struct stream {
    FILE *file;
    struct cleanup cleanup;
};

static inline void stream_undo(void *file)
{
    fclose(file);
}

/* False: it cannot be opened, errno says why. */
static inline bool stream_open(struct stream *stream, const char *path)
{
    stream->file = fopen(path, "rb");
    if (stream->file)
        cleanup_push(&stream->cleanup, stream_undo, stream->file);
    return stream->file;
}

static inline void stream_close(struct stream *stream)
{
    cleanup_drop(&stream->cleanup);
    fclose(stream->file);
}

#endif
