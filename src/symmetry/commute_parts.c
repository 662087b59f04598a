/* The body of a loop in parts that have no local variables in common: if any part of one iteration commutes with any
 * part of another, so do the iterations, and a run of two parts has far fewer ways than a run of two bodies. */
#include <string.h>

#include "ir/walk.h"
#include "symmetry/commuting.h"

/* A local variable, or reference, that a statement mentions. */
struct mention {
    const struct variable *variable;
    bool is_written;
};

struct mentions {
    struct mention *items;
    size_t count, capacity;
};

static void mentions_add(struct mentions *mentions, const struct variable *variable, bool is_written)
{
    struct mention mention = {variable, is_written};
    for (size_t i = 0; i < mentions->count; i++)
        if (mentions->items[i].variable == variable) {
            mentions->items[i].is_written |= is_written;
            return;
        }
    VEC_PUSH(mentions, mention);
}

static bool mentions_on_place(void *user, const struct place *place, bool is_written)
{
    if (place->kind == PLACE_VARIABLE && !place->variable->is_global)
        mentions_add(user, place->variable, is_written);
    if (place->kind == PLACE_DEREF)
        mentions_add(user, place->variable, false);
    return true;
}

static bool mentions_on_stmt(void *user, const struct stmt *stmt)
{
    if (stmt->kind == STMT_BIND)
        mentions_add(user, stmt->variable, true);
    return true;
}

static bool mentions_meet(const struct mentions *a, const struct mentions *b)
{
    for (size_t i = 0; i < a->count; i++)
        for (size_t j = 0; j < b->count; j++)
            if (a->items[i].variable == b->items[j].variable && (a->items[i].is_written || b->items[j].is_written))
                return true;
    return false;
}

uint32_t commuting_split(const struct block *body, struct block *parts)
{
    struct mentions *mentions = memory_zeroed(body->count, sizeof *mentions);
    uint32_t count = 0;
    for (uint32_t s = 0; s < body->count; s++) {
        struct walker walker = {.on_place = mentions_on_place, .on_stmt = mentions_on_stmt, .user = &mentions[s]};
        walk_stmt(&walker, body->items[s]);
    }
    for (uint32_t s = 0, end = 0; s < body->count; s++) {
        if (s == end) /* nothing before has to do with it */
            parts[count++] = (struct block){.items = body->items + s};
        end = s + 1 > end ? s + 1 : end;
        for (uint32_t t = end; t < body->count; t++)
            if (mentions_meet(&mentions[s], &mentions[t]))
                end = t + 1;
        parts[count - 1].count++;
    }
    for (uint32_t s = 0; s < body->count; s++)
        VEC_FREE(&mentions[s]);
    free(mentions);
    return count;
}
