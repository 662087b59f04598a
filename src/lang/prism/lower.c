#include "lang/prism/lower.h"

static const enum chain_kind kinds[] = {[PRISM_MDP] = CHAIN_MDP, [PRISM_DTMC] = CHAIN_DTMC, [PRISM_CTMC] = CHAIN_CTMC};

/* In the order of the declarations, which the arrays of copies have lost. */
static void set_order(const struct prism_lowering *lower)
{
    uint32_t count = lower->network->variable_count;
    uint32_t *order = ARENA_ARRAY(lower->system->arena, uint32_t, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct prism_home *home = &lower->homes[lower->network->variables[i]->number];
        order[i] = home->variable->address + (home->index ? (uint32_t)type_ordinal(home->index, home->element) : 0);
    }
    lower->system->chain->order = order;
    lower->system->chain->order_count = count;
}

void prism_forget_shared(struct prism_lowering *lower)
{
    lower->shared = ARENA_ARRAY(lower->reader->arena, struct expr *, lower->reader->shared + 1);
    lower->ratios = ARENA_ARRAY(lower->reader->arena, struct prism_ratio, lower->reader->shared + 1);
}

struct system *prism_lower(struct prism_reader *reader, const char *name)
{
    struct prism_lowering lower = {.reader = reader, .network = &reader->network, .system = system_create(name)};
    lower.system->language = &language_prism;
    prism_forget_shared(&lower);
    lower.homes = ARENA_ARRAY(reader->arena, struct prism_home, reader->network.variable_count);
    lower.between = ARENA_ARRAY(reader->arena, const struct variable *, reader->network.variable_count);
    chain_create(lower.system, kinds[reader->network.type]);
    prism_lower_variables(&lower);
    if (!reader->diagnostics->errors)
        prism_lower_commands(&lower);
    if (!reader->diagnostics->errors)
        prism_lower_rewards(&lower);
    if (!reader->diagnostics->errors)
        prism_lower_properties(&lower);
    if (!reader->diagnostics->errors && !system_finish(lower.system))
        prism_error(reader, (struct span){0}, "the model has more than %d variables", SYSTEM_MAX_CELLS);
    if (!reader->diagnostics->errors) {
        set_order(&lower);
        return lower.system;
    }
    system_destroy(lower.system);
    return NULL;
}
