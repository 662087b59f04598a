#include "numeric/share.h"

#include "base/rounding.h"
#include "base/team.h"

enum { ITEMS_FOR_A_THREAD = 1 << 15 };

struct sharing {
    void (*work)(void *user, uint32_t from, uint32_t to);
    void *user;
    uint32_t count, parts;
    enum rounding mode;
};

static void share_part(void *user, uint32_t part)
{
    const struct sharing *sharing = user;
    rounding_set(sharing->mode); /* of this thread */
    ROUNDED(sharing->work)
    (sharing->user, (uint32_t)((uint64_t)sharing->count * part / sharing->parts),
     (uint32_t)((uint64_t)sharing->count * (part + 1) / sharing->parts));
}

void share_run(uint32_t threads, uint32_t count, void (*work)(void *user, uint32_t from, uint32_t to), void *user)
{
    uint32_t most = count / ITEMS_FOR_A_THREAD, parts = threads < most ? threads : most;
    struct sharing sharing = {work, user, count, parts, rounding_mode()};
    if (parts < 2)
        ROUNDED(work)(user, 0, count);
    else
        team_run(parts, parts, share_part, &sharing);
}
