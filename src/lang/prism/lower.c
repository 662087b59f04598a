#include "lang/prism/lower.h"

static const enum chain_kind kinds[] = {[PRISM_MDP] = CHAIN_MDP, [PRISM_DTMC] = CHAIN_DTMC, [PRISM_CTMC] = CHAIN_CTMC};

struct system *prism_lower(struct prism_reader *reader, const char *name)
{
    struct prism_lowering lower = {.reader = reader, .network = &reader->network, .system = system_create(name)};
    lower.shared = ARENA_ARRAY(reader->arena, struct expr *, reader->shared + 1);
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
    if (!reader->diagnostics->errors)
        return lower.system;
    system_destroy(lower.system);
    return NULL;
}
