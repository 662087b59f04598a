/* How much memory this process may have. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/stream.h"
#include "driver/check.h"

/* The number in a file, or UINT64_MAX ("max": there is no limit). */
static uint64_t read_limit(const char *path)
{
    unsigned long long limit;
    FILE *stream = fopen(path, "r");
    if (!stream)
        return UINT64_MAX;
    int got = fscanf(stream, "%llu", &limit);
    fclose(stream);
    return got == 1 ? limit : UINT64_MAX;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* A control group is limited by those it is in, too: of this one and all above it. */
static uint64_t limit_along(const char *root, char *group, const char *file)
{
    uint64_t limit = UINT64_MAX;
    struct text path = {0};
    for (;;) {
        text_clear(&path);
        text_format(&path, "%s%s/%s", root, group, file);
        limit = least(limit, read_limit(path.chars));
        char *slash = strrchr(group, '/');
        if (!slash)
            break;
        *slash = '\0';
    }
    text_free(&path);
    return limit;
}

/* A line of /proc/self/cgroup: "0::/user/run" (version 2) or "4:memory:/user/run" (version 1). */
static uint64_t line_limit(char *line)
{
    char *controllers = strchr(line, ':'), *group = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!group)
        return UINT64_MAX;
    *group++ = '\0';
    group[strcspn(group, "\n")] = '\0';
    controllers++;
    if (!*controllers)
        return least(limit_along("/sys/fs/cgroup", group, "memory.max"),
                     limit_along("/sys/fs/cgroup/unified", group, "memory.max"));
    return strcmp(controllers, "memory") ? UINT64_MAX
                                         : limit_along("/sys/fs/cgroup/memory", group, "memory.limit_in_bytes");
}

/* The limit of the control group, or UINT64_MAX. In a container the path may be one outside of it: then the root is
 * ours. */
static uint64_t group_limit(void)
{
    uint64_t limit =
        least(read_limit("/sys/fs/cgroup/memory.max"), read_limit("/sys/fs/cgroup/memory/memory.limit_in_bytes"));
    struct stream stream;
    char line[1024];
    if (!stream_open(&stream, "/proc/self/cgroup"))
        return limit;
    while (fgets(line, sizeof line, stream.file))
        limit = least(limit, line_limit(line));
    stream_close(&stream);
    return limit;
}

static uint64_t resource_limit(int resource)
{
    struct rlimit limit;
    return getrlimit(resource, &limit) || limit.rlim_cur == RLIM_INFINITY ? UINT64_MAX : (uint64_t)limit.rlim_cur;
}

struct memory_share check_memory_share(void)
{
    const struct memory_share shares[] = {
        {(uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE), "this machine"},
        {group_limit(), "the control group"},
        {resource_limit(RLIMIT_AS), "the address space (ulimit -v)"},
        {resource_limit(RLIMIT_DATA), "the data segment (ulimit -d)"},
    };
    struct memory_share share = shares[0];
    for (size_t i = 1; i < sizeof shares / sizeof *shares; i++)
        if (shares[i].bytes < share.bytes)
            share = shares[i];
    share.bytes = share.bytes / 5 * 4 >> 20 << 20; /* whole MiB: it is shown */
    return share;
}

uint64_t check_default_memory(void)
{
    return check_memory_share().bytes;
}

bool check_address_space_is_limited(void)
{
    return resource_limit(RLIMIT_AS) != UINT64_MAX;
}
