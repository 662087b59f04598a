/* The elements that are known by name in a successor.
 *
 * A changed reference most often leaves them as they were, or one is new, or gone: then the signatures of the others
 * stay, and they need not be sorted again. */
#include "canon/lane.h"

static const uint64_t lane_behind = (uint64_t)1 << 63; /* as discovery_rank has it: set in all that are not known */

void lane_note_named(struct canon *canon)
{
    const struct structure *s = canon->structure;
    struct successor_lane *lane = canon->lane;
    for (uint32_t f = 0; f < s->factor_count; f++)
        lane->named[f] = 0;
    for (uint32_t e = 0; lane->found && e < s->element_count; e++)
        if (lane->found & canon_bit(s->factor_of[e]) && !(canon->signature[e] & lane_behind))
            lane->named[s->factor_of[e]] |= canon_bit(e);
}

/* Elements of the factor that are not those known by name are behind these, which keep the signatures they have. (What
 * was added to `ranked` and what is added to the sum differ in the upper bit only.) */
static void lane_rank_touched(struct canon *canon, uint64_t touched)
{
    const struct successor_lane *lane = canon->lane;
    for (; touched; touched &= touched - 1) {
        uint32_t e = (uint32_t)__builtin_ctzll(touched);
        canon->signature[e] = lane->ranked[e] & lane_behind ? canon->signature[e] | lane_behind : lane->ranked[e];
    }
}

/* The sums again, instead of `ranked` with what was added. */
static void lane_unrank(struct canon *canon, const struct moved_factor *factor)
{
    const struct successor_lane *lane = canon->lane;
    for (uint32_t e = factor->first; e < factor->first + factor->degree; e++)
        canon->signature[e] += lane->signature[e] - lane->ranked[e];
}

/* There are such elements in both states: the signatures of those for which that has changed. */
static void lane_rank_changed(struct canon *canon, uint32_t f, const uint32_t *found, uint32_t count)
{
    const struct successor_lane *lane = canon->lane;
    uint64_t named = 0;
    for (uint32_t i = 0; i < count; i++)
        named |= canon_bit(found[i]);
    for (uint64_t lost = lane->named[f] & ~named; lost; lost &= lost - 1) {
        uint32_t e = (uint32_t)__builtin_ctzll(lost);
        canon->signature[e] += lane->signature[e] - lane->ranked[e];
        canon->signature[e] |= lane_behind;
    }
    for (uint64_t others = canon->touched & lane->members[f] & ~lane->named[f] & ~named; others; others &= others - 1)
        canon->signature[__builtin_ctzll(others)] |= lane_behind;
    canon->touched |= lane->named[f] & ~named;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t e = found[i];
        canon->signature[e] = count - 1 - i;
        canon->touched |= canon->signature[e] != lane->ranked[e] ? canon_bit(e) : 0;
    }
}

/* Of a factor whose references have changed, with up to 64 elements. Returns whether all signatures may have. */
static bool lane_discover_factor(struct canon *canon, uint32_t f, const int32_t *cells)
{
    const struct successor_lane *lane = canon->lane;
    const uint32_t *found;
    if (lane->affected != UINT64_MAX && !(lane->affected & lane->named[f])) {
        if (lane->named[f])
            lane_rank_touched(canon, canon->touched & lane->members[f]);
        return false;
    }
    uint32_t count = discovery_follow(canon, f, cells, lane->affected, &found);
    if (count && lane->named[f])
        lane_rank_changed(canon, f, found, count);
    if (!count == !lane->named[f])
        return false;
    if (!count)
        lane_unrank(canon, &canon->structure->factors[f]);
    else
        canon_discover_again(canon, cells, canon_bit(f));
    return true;
}

uint64_t lane_discover(struct canon *canon, const int32_t *cells)
{
    const struct structure *s = canon->structure;
    const struct successor_lane *lane = canon->lane;
    uint64_t redone = 0;
    if (!(lane->found | lane->relinked))
        return 0;
    if (s->element_count > 64) {
        for (uint32_t f = 0; f < s->factor_count; f++)
            if (lane->found & canon_bit(f))
                lane_unrank(canon, &s->factors[f]);
        return canon_discover_again(canon, cells, UINT64_MAX) | lane->found;
    }
    for (uint32_t f = 0; f < s->factor_count; f++) {
        if (lane->relinked & canon_bit(f))
            redone |= lane_discover_factor(canon, f, cells) ? canon_bit(f) : 0;
        else if (lane->found & canon_bit(f))
            lane_rank_touched(canon, canon->touched & lane->members[f]);
    }
    return redone;
}
