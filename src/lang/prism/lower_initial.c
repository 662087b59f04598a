/* Start states: the variables' initial values, or all for which init ... endinit holds. */
#include "ir/starts.h"
#include "lang/prism/lower.h"

static struct block lower_initial_values(struct prism_lowering *lower)
{
    const struct prism_network *network = lower->network;
    struct prism_statements body = {0};
    const struct variable *const *substitutes = lower->substitutes;
    lower->substitutes = NULL;
    for (uint32_t i = 0; i < network->variable_count; i++) {
        const struct prism_variable *variable = network->variables[i];
        struct place *place = prism_lower_variable(lower, variable, variable->name.span);
        struct expr *value = substitutes
                                 ? expr_read(lower->system, place_variable(lower->system, substitutes[i], place->span),
                                             false, place->span)
                                 : expr_const(lower->system, place->type, variable->initial, place->span);
        VEC_PUSH(&body, prism_lower_assignment(lower, place, value, place->span));
    }
    return prism_seal_statements(lower, &body);
}

static void report(struct prism_lowering *lower, enum starts starts, double space)
{
    struct span span = lower->network->initial->span;
    if (starts == STARTS_NONE)
        prism_error(lower->reader, span, "no state satisfies this");
    else if (starts == STARTS_TOO_MANY) {
        if (prism_error(lower->reader, span, "there are more than %d initial states", STARTS_MOST))
            diag_hint(lower->reader->diagnostics, "they are listed one by one; check the model for a part of them at a "
                                                  "time, with constants in init...endinit");
    } else if (prism_error(lower->reader, span, "the initial states are looked for among %.3g, which takes too long",
                           space))
        diag_hint(lower->reader->diagnostics,
                  "conditions on few variables each, such as \"x=0 & y<=z\", make them fewer");
}

/* init ... endinit: a start for every choice of values for which it holds. */
static void add_parameters(struct prism_lowering *lower, struct rule *start)
{
    const struct prism_network *network = lower->network;
    const struct variable **substitutes =
        ARENA_ARRAY(lower->reader->arena, const struct variable *, network->variable_count);
    start->parameters = ARENA_ARRAY(lower->system->arena, struct parameter, network->variable_count);
    start->parameter_count = network->variable_count;
    for (uint32_t i = 0; i < network->variable_count; i++) {
        const struct prism_home *home = &lower->homes[i];
        const struct type *type = home->index ? home->variable->type->element : home->variable->type;
        substitutes[i] =
            system_add_scratch(lower->system, network->variables[i]->name.text, type, network->variables[i]->name.span);
        start->parameters[i] = (struct parameter){substitutes[i], type, NULL};
    }
    lower->substitutes = substitutes;
    prism_forget_shared(lower);
    start->guard = prism_lower_expr(lower, network->initial);
    prism_forget_shared(lower);
    double space;
    enum starts starts = start->guard ? starts_list(lower->system, start, &space) : STARTS_FOUND;
    if (starts != STARTS_FOUND)
        report(lower, starts, space);
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
