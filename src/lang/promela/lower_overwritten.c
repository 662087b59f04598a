/* Values that a step overwrites before anything reads them, such as those of the counter of a loop that was written
 * out: they would keep statements apart that can be done in any order. */
#include "ir/walk.h"
#include "lang/promela/lower.h"

enum { MOST_STATEMENTS = 2000 };

struct later_reads {
    const struct variable *variable;
    bool is_read;
};

static bool note_place(void *user, const struct place *place, bool is_written)
{
    struct later_reads *later = user;
    later->is_read |= !is_written && place->kind == PLACE_VARIABLE && place->variable == later->variable;
    return true;
}

static const struct variable *set_to_constant(const struct stmt *stmt)
{
    bool is_constant = stmt->kind == STMT_ASSIGN && stmt->place->kind == PLACE_VARIABLE &&
                       stmt->value->kind == EXPR_CONST && type_has(stmt->place->type, stmt->value->value);
    return is_constant ? stmt->place->variable : NULL;
}

static bool is_overwritten(const struct pml_steps *steps, size_t number)
{
    struct later_reads later = {.variable = set_to_constant(steps->items[number])};
    struct walker walker = {.on_place = note_place, .user = &later};
    for (size_t i = number + 1; later.variable && i < steps->count; i++) {
        struct block one = {.items = &steps->items[i], .count = 1};
        walk_block(&walker, &one);
        if (steps->items[i]->kind != STMT_ASSIGN || later.is_read)
            return false;
        if (steps->items[i]->place->kind == PLACE_VARIABLE && steps->items[i]->place->variable == later.variable)
            return true;
    }
    return false;
}

void pml_drop_overwritten(struct pml_steps *steps)
{
    size_t kept = 0;
    for (size_t i = 0; i < steps->count && steps->count <= MOST_STATEMENTS; i++) {
        bool is_dropped = is_overwritten(steps, i);
        steps->items[kept] = steps->items[i];
        kept += !is_dropped;
    }
    if (steps->count <= MOST_STATEMENTS)
        steps->count = kept;
}
