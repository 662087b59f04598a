#include "ir/reads.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ir/walk.h"

enum { READS_DEEPEST = 32, READS_WORK = 1 << 22 };

struct ir_reads {
    const struct system *system;
    bool *cells;
    bool *is_entered;         /* by function id */
    const struct place *base; /* of the place that was met last: it is met next, and is no read of its own */
    uint64_t work;
};

/* From `address` on the way goes on through steps[0 .. count), the last of them first. */
static void reads_mark(struct ir_reads *reads, const struct place *const *steps, uint32_t count, uint32_t address,
                       const struct type *type)
{
    const struct place *step = count ? steps[count - 1] : NULL;
    reads->work++;
    if (step && step->kind == PLACE_FIELD) {
        reads_mark(reads, steps, count - 1, address + step->field->offset, step->type);
    } else if (step && step->kind == PLACE_ELEMENT) {
        for (uint32_t i = 0; i < type->index->size; i++)
            reads_mark(reads, steps, count - 1, address + i * type->element->cells, step->type);
    } else { /* all of it; so of a multiset, whose slots are looked at to find one */
        reads->work += type->cells;
        memset(reads->cells + address, true, type->cells * sizeof *reads->cells);
    }
}

/* What is reached by a reference is named where the reference is bound, and what a call returns in the function. */
static bool reads_on_place(void *user, const struct place *place, bool is_written)
{
    struct ir_reads *reads = user;
    const struct place *steps[READS_DEEPEST], *root = place;
    uint32_t count = 0;
    (void)is_written;
    bool is_base = place == reads->base;
    reads->base = place->base;
    if (is_base)
        return true;
    for (; root->base; root = root->base) {
        if (count == READS_DEEPEST) /* a part of more than it is */
            memmove(steps, steps + 1, --count * sizeof *steps);
        steps[count++] = root;
    }
    if (root->kind == PLACE_VARIABLE && root->variable->is_global)
        reads_mark(reads, steps, count, root->variable->address, root->variable->type);
    return reads->work < READS_WORK;
}

static void reads_enter(struct ir_reads *reads, const struct function *function);

static bool reads_on_expr(void *user, const struct expr *expr)
{
    struct ir_reads *reads = user;
    reads->base = NULL;
    if (expr->kind == EXPR_CALL)
        reads_enter(reads, expr->function);
    return ++reads->work < READS_WORK;
}

static void reads_enter(struct ir_reads *reads, const struct function *function)
{
    struct walker walker = {.on_expr = reads_on_expr, .on_place = reads_on_place, .user = reads};
    if (reads->is_entered[function->id])
        return;
    reads->is_entered[function->id] = true;
    reads->base = NULL;
    walk_block(&walker, &function->body);
    reads->base = NULL;
}

void reads_add(const struct system *system, const struct expr *formula, bool *cells)
{
    struct ir_reads reads = {.system = system, .cells = cells};
    struct walker walker = {.on_expr = reads_on_expr, .on_place = reads_on_place, .user = &reads};
    reads.is_entered = memory_zeroed(system->functions.count + 1, sizeof *reads.is_entered);
    walk_expr(&walker, formula);
    if (reads.work >= READS_WORK) /* more than it is worth to find out */
        memset(cells, true, system->state_cells * sizeof *cells);
    free(reads.is_entered);
}
