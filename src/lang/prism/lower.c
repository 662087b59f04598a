#include "lang/prism/lower.h"

static const enum chain_kind kinds[] = {[PRISM_MDP] = CHAIN_MDP, [PRISM_DTMC] = CHAIN_DTMC, [PRISM_CTMC] = CHAIN_CTMC};

static const uint32_t *cells_of(const struct prism_lowering *lower, const struct prism_variable *const *variables,
                                uint32_t count)
{
    uint32_t *cells = ARENA_ARRAY(lower->system->arena, uint32_t, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct prism_home *home = &lower->homes[variables[i]->number];
        cells[i] = home->variable->address + (home->index ? (uint32_t)type_ordinal(home->index, home->element) : 0);
    }
    return cells;
}

/* The order of the declarations, which the arrays of copies have lost; and the modules. */
static void set_cells(const struct prism_lowering *lower)
{
    const struct prism_network *network = lower->network;
    struct arena *arena = lower->system->arena;
    struct chain *chain = lower->system->chain;
    chain->order = cells_of(lower, network->variables, network->variable_count);
    chain->order_count = network->variable_count;
    chain->module_count = network->component_count;
    chain->modules = ARENA_ARRAY(arena, struct chain_module, network->component_count);
    for (uint32_t i = 0; i < network->component_count; i++) {
        const struct prism_component *component = &network->components[i];
        chain->modules[i] = (struct chain_module){
            arena_string(arena, component->name.text), component->name.span, component->original,
            cells_of(lower, component->variables, component->variable_count), component->variable_count};
    }
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
    if (!reader->diagnostics->errors)
        prism_lower_labels(&lower);
    if (!reader->diagnostics->errors && !system_finish(lower.system))
        prism_error(reader, (struct span){.source = reader->source}, "the model has more than %d variables",
                    SYSTEM_MAX_CELLS);
    if (!reader->diagnostics->errors) {
        set_cells(&lower);
        return lower.system;
    }
    system_destroy(lower.system);
    return NULL;
}
