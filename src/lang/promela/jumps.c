#include "lang/promela/jumps.h"

#include <string.h>

#include "lang/promela/walk.h"

static void mark_asked(struct pml_block *block, const char *label)
{
    for (uint32_t i = 0; i < block->count; i++) {
        struct pml_stmt *stmt = block->items[i];
        for (uint32_t l = 0; l < stmt->label_count; l++)
            stmt->is_asked_for |= !strcmp(stmt->labels[l].name, label);
        for (uint32_t o = 0; o < stmt->option_count; o++)
            mark_asked(&stmt->options[o], label);
        mark_asked(&stmt->body, label);
        mark_asked(&stmt->escape, label);
    }
}

static void note_asked(void *user, struct pml_expr *expr, bool is_operated)
{
    (void)user;
    (void)is_operated;
    if (expr->kind == PML_AT)
        mark_asked(&expr->proctype->body, expr->label);
}

static struct pml_stmt *make_skip(struct arena *arena, struct pml_stmt *jump)
{
    struct pml_stmt *skip = ARENA_NEW(arena, struct pml_stmt);
    struct pml_expr *one = ARENA_NEW(arena, struct pml_expr);
    *one = (struct pml_expr){.kind = PML_NUMBER, .value = 1, .span = jump->span};
    *skip = (struct pml_stmt){.kind = PML_CONDITION,
                              .span = jump->span,
                              .text = jump->text,
                              .labels = jump->labels,
                              .label_count = jump->label_count,
                              .value = one,
                              .is_generated = true};
    jump->label_count = 0;
    return skip;
}

static void place_skips(struct arena *arena, struct pml_block *block)
{
    VEC(struct pml_stmt *) items = {0};
    for (uint32_t i = 0; i < block->count; i++) {
        struct pml_stmt *stmt = block->items[i];
        for (uint32_t o = 0; o < stmt->option_count; o++)
            place_skips(arena, &stmt->options[o]);
        place_skips(arena, &stmt->body);
        place_skips(arena, &stmt->escape);
        if (stmt->is_asked_for && (stmt->kind == PML_GOTO || stmt->kind == PML_BREAK))
            VEC_PUSH(&items, make_skip(arena, stmt));
        VEC_PUSH(&items, stmt);
    }
    bool has_more = items.count > block->count;
    uint32_t count = (uint32_t)items.count;
    struct pml_stmt **all = VEC_SEAL(&items, arena);
    if (has_more)
        *block = (struct pml_block){all, count};
}

void pml_keep_asked_jumps(struct pml_model *model)
{
    const struct pml_walk walk = {.expr = note_asked};
    pml_walk_model(&walk, model);
    for (size_t p = 0; p < model->proctypes.count; p++)
        place_skips(model->arena, &model->proctypes.items[p]->body);
}
