/* Running a variant for one choice of actors: all paths. */
#include "engine/adaptive/edge.h"

enum { ITEM_MOST_PATHS = 1024 };

/* Sets the actors, their references and the parameters. */
static void item_load(struct rulebook *book, const struct variant *variant, const uint32_t *actors,
                      const uint32_t *locals)
{
    struct partial *partial = &book->partial;
    const struct roster *roster = book->roster;
    for (uint32_t a = 0; a < variant->actor_count; a++)
        if (locals)
            partial_reveal(partial, actors[a], locals[a]);
    for (uint32_t r = 0; r < roster->reference_count; r++) {
        int32_t code = UNDEFINED;
        for (uint32_t a = 0; a < variant->actor_count; a++)
            if (variant->held[a] >> r & 1)
                code = roster->code_of[actors[a]];
        if (variant->mentioned >> r & 1)
            partial_set(partial, roster->references[r], value_known(code));
    }
    for (uint32_t b = 0; b < variant->binding_count; b++) {
        const struct adaptive_binding *binding = &variant->bindings[b];
        int32_t code = binding->actor == NO_ACTOR ? binding->code : roster->code_of[actors[binding->actor]];
        partial_set(partial, binding->variable->address, value_known(code));
    }
}

static enum go item_run_rule(struct partial *partial, const struct rule *rule)
{
    struct adaptive_value guard = value_known(1);
    bool holds;
    enum go go = partial_block(partial, &rule->prelude);
    if (go == GO_OK && rule->guard)
        go = partial_expr(partial, rule->guard, &guard);
    if (go == GO_OK)
        go = partial_decide(partial, guard, &holds);
    if (go == GO_OK && !holds)
        go = GO_DISABLED;
    if (go == GO_OK)
        go = partial_block(partial, &rule->body);
    return go == GO_RETURNED ? GO_OK : go;
}

/* A formula: OK where it is what is looked for (an invariant that is false or cannot be evaluated, a goal that is
 * met), a fault where a goal cannot be evaluated. A discarded run makes an invariant true and a goal not met. */
static enum go item_run_formula(struct partial *partial, const struct variant *variant)
{
    struct adaptive_value value;
    bool holds, is_invariant = variant->property->kind == PROPERTY_INVARIANT;
    enum go go = partial_expr(partial, variant->formula, &value);
    if (go == GO_OK)
        go = partial_decide(partial, value, &holds);
    if (go == GO_FAULT)
        return is_invariant ? GO_OK : GO_FAULT;
    if (go != GO_OK)
        return go == GO_DISCARDED ? GO_DISABLED : go;
    return holds == is_invariant ? GO_DISABLED : GO_OK;
}

static enum go item_run(struct rulebook *book, const struct variant *variant)
{
    partial_begin_path(&book->partial);
    return variant->rule ? item_run_rule(&book->partial, variant->rule) : item_run_formula(&book->partial, variant);
}

static enum go item_effect(struct rulebook *book, const struct variant *variant, uint32_t shared,
                           const uint32_t *actors, const uint32_t *locals, enum go go, uint32_t *effect)
{
    if (go == GO_FAULT)
        *effect = effect_of_fault(book, &book->partial.fault);
    else if (go == GO_DISCARDED)
        *effect = effect_plain(book, OUTCOME_DISCARDED);
    else if (variant->property)
        *effect = effect_plain(book, OUTCOME_SHOWN);
    else
        return effect_take(book, variant, shared, actors, locals, effect);
    return GO_OK;
}

/* Paths with the same effect are one item. */
static void items_push(struct rulebook *book, struct items *items, size_t first, const struct adaptive_item *item)
{
    for (size_t i = first; i < items->count; i++)
        if (items->items[i].effect == item->effect) {
            items->items[i].condition = formula_or(&book->formulas, items->items[i].condition, item->condition);
            return;
        }
    VEC_PUSH(items, *item);
}

enum go items_add(struct rulebook *book, const struct variant *variant, uint32_t shared, const uint32_t *actors,
                  const uint32_t *locals, struct items *items)
{
    struct partial *partial = &book->partial;
    size_t first = items->count, paths = 0;
    enum go go;
    VEC_CLEAR(&partial->decisions);
    item_load(book, variant, actors, locals);
    size_t mark = partial->log.count;
    /* What was loaded is no effect; the log is read from its beginning. */
    struct undo *loaded = memory_alloc((mark + 1) * sizeof *loaded);
    for (size_t i = 0; i < mark; i++)
        loaded[i] = partial->log.items[i];
    VEC_CLEAR(&partial->log);
    do {
        struct adaptive_item item = {0};
        go = item_run(book, variant);
        if (go == GO_OK || go == GO_FAULT || go == GO_DISCARDED) {
            for (uint32_t a = 0; a < variant->actor_count; a++)
                item.actors[a] = actors[a];
            go = item_effect(book, variant, shared, actors, locals, go, &item.effect);
            item.condition = partial->path;
            if (go == GO_OK && item.condition != FORMULA_FALSE)
                items_push(book, items, first, &item);
        }
        partial_undo(partial, 0);
        if (go == GO_UNCLEAR || go == GO_FORK || ++paths == ITEM_MOST_PATHS)
            go = GO_UNCLEAR;
    } while (go != GO_UNCLEAR && partial_next_path(partial));
    for (size_t i = 0; i < mark; i++)
        VEC_PUSH(&partial->log, loaded[i]);
    free(loaded);
    partial_undo(partial, 0);
    VEC_CLEAR(&partial->values);
    return go == GO_UNCLEAR ? GO_UNCLEAR : GO_OK;
}

enum go rulebook_run_concrete(struct rulebook *book, const struct variant *variant, uint32_t shared,
                              const uint32_t *locals, const uint32_t *actors)
{
    struct partial *partial = &book->partial;
    partial_load(partial, shared);
    for (uint32_t e = 0; e < book->roster->element_count; e++)
        partial_reveal(partial, e, locals[e]);
    for (uint32_t r = 0; r < book->roster->reference_count; r++) {
        int32_t code = UNDEFINED;
        for (uint32_t e = 0; e < book->roster->element_count; e++)
            if (local_held(book->scene, locals[e]) >> r & 1)
                code = book->roster->code_of[e];
        partial_set(partial, book->roster->references[r], value_known(code));
    }
    item_load(book, variant, actors, NULL);
    VEC_CLEAR(&partial->decisions);
    enum go go = item_run(book, variant);
    ENSURE(go != GO_UNCLEAR && go != GO_FORK && go != GO_DEAD && !partial->decisions.count);
    return go;
}
