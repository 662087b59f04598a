/* Start states: the variables' initial values, or all for which init ... endinit holds. */
#include "lang/prism/lower.h"

/* SMALL_SPACE: so many may as well all be tried. */
enum { MAX_STARTS = 10 * 1000 * 1000, SMALL_SPACE = 4096 };
static const double MOST_NUMBERS = 0x1p62;

static struct block lower_initial_values(struct prism_lowering *lower)
{
    const struct prism_network *network = lower->network;
    struct prism_statements body = {0};
    const struct prism_substitute *substitutes = lower->substitutes;
    lower->substitutes = NULL;
    for (uint32_t i = 0; i < network->variable_count; i++) {
        const struct prism_variable *variable = network->variables[i];
        struct place *place = prism_lower_variable(lower, variable, variable->name.span);
        const struct variable *parameter = substitutes ? substitutes[i].variable : NULL;
        struct expr *value =
            parameter
                ? expr_read(lower->system, place_variable(lower->system, parameter, place->span), false, place->span)
                : expr_const(lower->system, place->type, substitutes ? substitutes[i].value : variable->initial,
                             place->span);
        VEC_PUSH(&body, prism_lower_assignment(lower, place, value, place->span));
    }
    return prism_seal_statements(lower, &body);
}

static double size_of(const struct prism_network *network, const struct prism_start_space *space)
{
    double size = 1;
    for (uint32_t i = 0; i < network->variable_count; i++)
        size *= (double)space->sizes[i];
    return size;
}

static void fill_space(const struct prism_network *network, struct prism_start_space *space)
{
    for (uint32_t i = 0; i < network->variable_count; i++) {
        space->lows[i] = network->variables[i]->low;
        space->sizes[i] = (uint64_t)(network->variables[i]->high - network->variables[i]->low) + 1;
    }
}

static void report(struct prism_lowering *lower, double space, size_t found)
{
    struct span span = lower->network->initial->span;
    if (found > MAX_STARTS) {
        prism_error(lower->reader, span, "there are more than %d initial states", MAX_STARTS);
        return;
    }
    if (prism_error(lower->reader, span, "the initial states are looked for among %.3g, which takes too long", space))
        diag_hint(lower->reader->diagnostics,
                  "conditions on few variables each, such as \"x=0 & y<=z\", make them fewer");
}

/* Those worth trying, where they are few among all. False: an error. */
static bool list_starts(struct prism_lowering *lower, struct rule *start, const struct prism_start_space *space)
{
    double size = size_of(lower->network, space);
    struct prism_starts found = {0};
    if (space->is_empty)
        return prism_error(lower->reader, lower->network->initial->span, "no state satisfies this"), false;
    double worth_it = size <= SMALL_SPACE ? 0 : size / 4;
    bool is_whole =
        prism_search_starts(lower->network, space, size <= MAX_STARTS ? (size_t)worth_it : MAX_STARTS, &found);
    bool is_listed = is_whole && (double)found.count <= worth_it;
    bool is_good = is_listed || size <= MAX_STARTS;
    if (!is_good)
        report(lower, size, found.count);
    start->tried_count = is_listed ? found.count : 0;
    if (is_listed && found.count)
        start->tried = VEC_SEAL(&found, lower->system->arena);
    else if (is_listed)
        is_good = (prism_error(lower->reader, lower->network->initial->span, "no state satisfies this"), false);
    VEC_FREE(&found);
    return is_good;
}

static void add_parameter(struct prism_lowering *lower, struct rule *start, uint32_t i,
                          const struct prism_start_space *space, bool is_narrowed)
{
    const struct prism_variable *variable = lower->network->variables[i];
    const struct prism_home *home = &lower->homes[i];
    const struct type *type = home->index ? home->variable->type->element : home->variable->type;
    if (is_narrowed && space->sizes[i] == 1) {
        lower->substitutes[i].value = space->lows[i];
        return;
    }
    if (is_narrowed && space->sizes[i] != type->size)
        type = type_range(lower->system, NULL, (int32_t)space->lows[i],
                          (int32_t)(space->lows[i] + (int64_t)space->sizes[i] - 1), variable->name.span);
    lower->substitutes[i].variable = system_add_scratch(lower->system, variable->name.text, type, variable->name.span);
    start->parameters[start->parameter_count++] = (struct parameter){lower->substitutes[i].variable, type, NULL};
}

/* init ... endinit: a start for every choice of values for which it holds. */
static void add_parameters(struct prism_lowering *lower, struct rule *start)
{
    const struct prism_network *network = lower->network;
    struct prism_start_space space = {ARENA_ARRAY(lower->reader->arena, int64_t, network->variable_count),
                                      ARENA_ARRAY(lower->reader->arena, uint64_t, network->variable_count), false};
    fill_space(network, &space);
    bool is_narrowed = size_of(network, &space) > MOST_NUMBERS;
    if (is_narrowed)
        prism_narrow_starts(network, &space);
    if (size_of(network, &space) > MOST_NUMBERS) {
        report(lower, size_of(network, &space), 0);
        return;
    }
    if (!list_starts(lower, start, &space))
        return;
    lower->substitutes = ARENA_ARRAY(lower->system->arena, struct prism_substitute, network->variable_count);
    start->parameters = ARENA_ARRAY(lower->system->arena, struct parameter, network->variable_count);
    for (uint32_t i = 0; i < network->variable_count; i++)
        add_parameter(lower, start, i, &space, is_narrowed);
    prism_forget_shared(lower);
    start->guard = prism_lower_expr(lower, network->initial);
    prism_forget_shared(lower);
}

void prism_lower_start(struct prism_lowering *lower)
{
    struct rule *start = system_add_start(lower->system, "the initial state", (struct span){0});
    if (lower->network->initial) {
        start->span = lower->network->initial->span;
        add_parameters(lower, start);
    }
    start->body = lower_initial_values(lower);
}
