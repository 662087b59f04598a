#include "driver/certify_ranks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"

enum { GATHER_KIND = 100, GATHER_PART = 1 << 20, GATHER_IDLE_NANOSECONDS = 20000 };

/* The next message of this kind; others are of the search, which is over. */
static struct rank_message wait_message(const struct transport *transport)
{
    struct rank_message message;
    for (;;) {
        if (!transport->receive(&message)) {
            struct timespec moment = {0, GATHER_IDLE_NANOSECONDS};
            nanosleep(&moment, NULL);
            continue;
        }
        if (message.kind == GATHER_KIND)
            return message;
        free(message.bytes);
    }
}

/* What each rank has: all hear of it, so that all go on, or none does. */
static bool agree(const struct transport *transport, struct certificate_file *file, uint64_t *count)
{
    uint64_t mine[2] = {*count, file->stream ? (uint64_t)file->error : EIO}, other[2];
    size_t *places;
    char *bytes = transport->share(mine, sizeof mine, &places);
    *count = 0;
    for (uint32_t i = 0; i < transport->count; i++) {
        memcpy(other, bytes + places[i], sizeof other);
        *count += other[0];
        file->error = other[1] ? (int)other[1] : file->error;
    }
    free(bytes);
    free(places);
    return !file->error;
}

/* The first rank asks for part after part; an empty one is the last. */
static void collect(const struct transport *transport, struct certificate_file *file)
{
    for (uint32_t i = 1; i < transport->count; i++)
        for (size_t size = 1; size;) {
            transport->send(i, GATHER_KIND, "", 1);
            struct rank_message part = wait_message(transport);
            size = part.size;
            certificate_file_write(file, part.bytes, part.size);
            free(part.bytes);
        }
}

/* The file was written by this process: what cannot be read again is missing, and the checksum will not hide that. */
static void serve(const struct transport *transport, struct certificate_file *file)
{
    char *bytes = memory_alloc(GATHER_PART);
    rewind(file->stream);
    for (size_t size = 1; size;) {
        struct rank_message question = wait_message(transport);
        free(question.bytes);
        size = fread(bytes, 1, GATHER_PART, file->stream);
        transport->send(0, GATHER_KIND, bytes, size);
    }
    free(bytes);
}

void certify_gather(const struct transport *transport, struct certificate_file *file, uint64_t *count)
{
    if (agree(transport, file, count))
        (transport->rank ? serve : collect)(transport, file);
}
