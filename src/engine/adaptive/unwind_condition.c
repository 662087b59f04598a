/* Whether the condition of an edge holds in a table. */
#include "engine/adaptive/unwind.h"

static bool unwind_some(const struct unwinding *unwinding, struct rulebook *book, const struct leaf *leaf)
{
    const struct adaptive_view *view = unwinding->view;
    for (uint32_t r = 0; r < unwinding->fine.cell_count; r++) {
        if (!leaf->in_cell[unwinding->q_cell_of[unwinding->fine.first[r]]])
            continue;
        for (uint32_t l = 0; l < view->local_count; l++)
            if (unwinding->counts[r * view->local_count + l] && rulebook_is_true(book, leaf->function, view->locals[l]))
                return true;
    }
    return false;
}

/* Local states by element, with the actors where the edge's item has them; their own local states do not matter.
 * The condition does not change under permutations of the others within the cells of the edge's partition. */
static void unwind_assign(const struct unwinding *unwinding, uint32_t *locals)
{
    const struct adaptive_edge *edge = unwinding->edge;
    const struct adaptive_view *view = unwinding->view;
    uint32_t element_count = 0;
    for (uint32_t c = 0; c < view->partition.cell_count; c++)
        element_count += view->partition.size[c];
    for (uint32_t e = 0; e < element_count; e++)
        locals[e] = WORDS_NONE;
    for (uint32_t a = 0; a < unwinding->actor_count; a++)
        locals[edge->actors[a]] = view->locals[unwinding->column[a]];
    uint32_t *next = memory_zeroed(unwinding->q_cell_count, sizeof *next);
    for (uint32_t r = 0; r < unwinding->fine.cell_count; r++) {
        uint32_t q = unwinding->q_cell_of[unwinding->fine.first[r]];
        for (uint32_t l = 0; l < view->local_count; l++)
            for (uint32_t i = unwinding->counts[r * view->local_count + l]; i > 0; i--) {
                while (unwinding->q_cell_of[next[q]] != q || locals[next[q]] != WORDS_NONE)
                    next[q]++;
                locals[next[q]] = view->locals[l];
            }
    }
    free(next);
}

static bool unwind_evaluate(struct rulebook *book, uint32_t formula, const uint32_t *locals)
{
    struct formulas *formulas = &book->formulas;
    enum formula_kind kind = formula_kind(formulas, formula);
    if (kind == FORMULA_CONSTANT)
        return formula == FORMULA_TRUE;
    if (kind == FORMULA_ALL || kind == FORMULA_ANY) {
        const uint32_t *set = formula_set(formulas, formula);
        uint32_t function = formula_function(formulas, formula);
        for (uint32_t e = 0; e < book->roster->element_count; e++)
            if (set_has(set, e) && rulebook_is_true(book, function, locals[e]) == (kind == FORMULA_ANY))
                return kind == FORMULA_ANY;
        return kind == FORMULA_ALL;
    }
    uint32_t count;
    const uint32_t *parts = formula_parts(formulas, formula, &count);
    for (uint32_t i = 0; i < count; i++)
        if (unwind_evaluate(book, parts[i], locals) == (kind == FORMULA_OR))
            return kind == FORMULA_OR;
    return kind == FORMULA_AND;
}

bool unwind_holds(const struct unwinding *unwinding, struct rulebook *book)
{
    const struct adaptive_edge *edge = unwinding->edge;
    if (edge->is_simple) {
        for (uint32_t i = 0; i < edge->leaf_count; i++)
            if (!edge->leaves[i].is_all && !unwind_some(unwinding, book, &edge->leaves[i]))
                return false;
        return true;
    }
    uint32_t *locals = memory_alloc(book->roster->element_count * sizeof *locals);
    unwind_assign(unwinding, locals);
    bool holds = unwind_evaluate(book, edge->condition, locals);
    free(locals);
    return holds;
}
