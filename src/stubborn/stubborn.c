#include "stubborn/stubborn.h"

#include <stdlib.h>

#include "base/memory.h"
#include "ir/walk.h"
#include "stubborn/inner.h"
#include "ir/definite.h"

static bool notes_statement(void *user, const struct stmt *stmt)
{
    const char **refusal = user;
    if (stmt->kind == STMT_ASSUME)
        *refusal = "an assume statement may discard any step";
    if (stmt->kind == STMT_COVER)
        *refusal = "cover statements are met by steps that would be left out";
    return true;
}

/* What of the model is not understood here. */
static const char *stubborn_find_refusal(const struct system *system)
{
    const char *refusal = NULL;
    struct walker walker = {.on_stmt = notes_statement, .user = &refusal};
    walk_steps(&walker, system);
    if (system_has_assumptions(system))
        refusal = "an assumption may exclude any state";
    for (size_t i = 0; i < system->rules.count; i++)
        if (system->rules.items[i]->own_guard || system->rules.items[i]->joint)
            refusal = "its rules are not those of the model";
    return system->chain ? "it has probabilities" : refusal;
}

static bool stubborn_trace(struct stubborn *stubborn, const bool *is_observed)
{
    if (!units_create(stubborn, is_observed) || !units_trace(stubborn))
        return false;
    if (constant_find(stubborn) && !units_trace(stubborn)) /* once more, with what is known now */
        return false;
    return !control_find(stubborn) || units_trace(stubborn);
}

static bool stubborn_relate(struct stubborn *stubborn, const bool *is_observed)
{
    return stubborn_trace(stubborn, is_observed) && chain_join(stubborn) && conjunct_split(stubborn) &&
           relate_units(stubborn);
}

static void stubborn_begin_sets(struct stubborn *stubborn)
{
    const struct system *system = stubborn->system;
    size_t cells = (size_t)stubborn->layout->cell_count + 1;
    stubborn->cell_words = bits_words(stubborn->layout->cell_count);
    stubborn->is_definite = definite_find(system, stubborn->arena);
    stubborn->constants = memory_zeroed(cells, sizeof *stubborn->constants);
    stubborn->is_constant = memory_zeroed(cells, sizeof *stubborn->is_constant);
    stubborn->unseen = memory_zeroed(stubborn->cell_words, sizeof *stubborn->unseen);
    stubborn->wanted = memory_zeroed(stubborn->cell_words, sizeof *stubborn->wanted);
    stubborn->undefined = memory_zeroed(stubborn->cell_words, sizeof *stubborn->undefined);
    if (system->holder)
        bits_add(stubborn->unseen, system->holder->address);
    if (system->idle)
        bits_add(stubborn->unseen, system->idle->address);
    peval_create(&stubborn->peval, system);
    stubborn->peval.is_definite = stubborn->is_definite;
    stubborn->peval.cells = stubborn->constants;
    stubborn->peval.is_known = stubborn->is_constant;
}

static const char stubborn_too_much[] = "it has too many rules, or too large ones, to compare them";

static struct stubborn *stubborn_begin_system(const struct layout *layout, const struct symmetry *symmetry)
{
    struct stubborn *stubborn = memory_zeroed(1, sizeof *stubborn);
    *stubborn = (struct stubborn){.layout = layout, .system = layout->system, .symmetry = symmetry};
    stubborn->arena = arena_create();
    stubborn->refusal = stubborn_find_refusal(layout->system);
    stubborn_begin_sets(stubborn);
    return stubborn;
}

struct stubborn *stubborn_create(const struct layout *layout, const struct symmetry *symmetry, const bool *is_observed)
{
    struct stubborn *stubborn = stubborn_begin_system(layout, symmetry);
    if (!stubborn->refusal && !stubborn_relate(stubborn, is_observed))
        stubborn->refusal = stubborn_too_much;
    return stubborn;
}

struct stubborn *stubborn_create_traces(const struct layout *layout, const struct symmetry *symmetry, uint32_t most)
{
    struct stubborn *stubborn = stubborn_begin_system(layout, symmetry);
    bool *is_observed = memory_zeroed(layout->system->properties.count + 1, sizeof *is_observed);
    if (!stubborn->refusal && system_has_macro_steps(layout->system))
        stubborn->refusal = "a step may fire several rules";
    if (!stubborn->refusal &&
        (!stubborn_trace(stubborn, is_observed) || !stubborn->unit_count || stubborn->units[0].is_coarse))
        stubborn->refusal = stubborn_too_much;
    if (!stubborn->refusal)
        variants_find(stubborn, most);
    free(is_observed);
    return stubborn;
}

bool stubborn_moves(const struct stubborn *stubborn, uint32_t number)
{
    const struct unit *unit = &stubborn->units[number - 1];
    const struct effect *effect = unit->control == UINT32_MAX ? NULL : unit_effect(unit, unit->control);
    bool is_other = effect && effect->kind == EFFECT_CONSTANTS && effect->is_sure;
    for (uint32_t i = 0; is_other && i < effect->count; i++)
        is_other = effect->values[i] != unit->control_value;
    return is_other;
}

bool stubborn_keeps(const struct stubborn *stubborn, uint32_t number, const uint64_t *cells)
{
    const struct footprint_sets *touched = &stubborn->units[number - 1].touched;
    uint64_t written = 0;
    for (uint32_t w = 0; w < stubborn->cell_words; w++)
        written |= (touched->writes[w] | touched->sends[w] | touched->receives[w]) & cells[w];
    return !written;
}

void stubborn_destroy(struct stubborn *stubborn)
{
    if (!stubborn)
        return;
    units_destroy(stubborn);
    free(stubborn->variants);
    peval_destroy(&stubborn->peval);
    for (size_t i = 0; i < stubborn->rows.count; i++)
        free(stubborn->rows.items[i]);
    VEC_FREE(&stubborn->rows);
    free(stubborn->dependent);
    free(stubborn->columns.reads);
    free(stubborn->columns.writes);
    free(stubborn->columns.sends);
    free(stubborn->columns.receives);
    free(stubborn->constants);
    free(stubborn->is_constant);
    free(stubborn->unseen);
    free(stubborn->wanted);
    free(stubborn->undefined);
    free(stubborn->starts);
    arena_destroy(stubborn->arena);
    free(stubborn);
}

const char *stubborn_refusal(const struct stubborn *stubborn)
{
    return stubborn->refusal;
}
