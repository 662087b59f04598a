#include "ir/language.h"
#include "population/shape_inner.h"

bool prover_fail(struct prover *prover, struct span span, const char *format, ...)
{
    va_list arguments;
    struct text message = {0};
    if (prover->has_failed)
        return false;
    prover->has_failed = true;
    va_start(arguments, format);
    text_vformat(&message, format, arguments);
    va_end(arguments);
    diag_error(prover->diagnostics, span, "%s", text_chars(&message));
    text_free(&message);
    return false;
}

static void prover_free(struct prover *prover)
{
    VEC_FREE(&prover->threads);
    VEC_FREE(&prover->bindings);
    VEC_FREE(&prover->looped);
}

const char *prover_name(const struct prover *prover)
{
    return prover->thread->name ? prover->thread->name : "the index type";
}

bool shape_is_local(const struct thread_shape *shape, const struct variable *variable)
{
    return type_mentions(variable->type, shape->thread); /* those that are no such arrays are refused */
}

/* --- rules --- */

static bool prove_rule(const struct thread_shape *shape, const struct rule *rule, bool is_start,
                       struct rule_shape *found, struct diagnostics *diagnostics)
{
    struct prover prover = {.shape = shape, .thread = shape->thread, .diagnostics = diagnostics};
    for (uint32_t p = 0; p < rule->parameter_count; p++)
        if (rule->parameters[p].type == shape->thread)
            VEC_PUSH(&prover.threads, rule->parameters[p].variable);
        else if (type_mentions(rule->parameters[p].type, shape->thread))
            prover_fail(&prover, rule->span, "a parameter of this rule is of a union with %s", prover_name(&prover));
    found->parameters = (uint32_t)prover.threads.count;
    bool is_proved = !prover.has_failed && prove_block(&prover, &rule->prelude) &&
                     (!rule->guard || prove_expr(&prover, rule->guard, is_start ? POLARITY_NONE : POLARITY_ASSERTED)) &&
                     prove_block(&prover, &rule->body);
    found->participants = found->parameters + prover.witnesses;
    found->is_broadcast = prover.is_broadcast;
    if (is_proved && (found->participants > SHAPE_MOST_PARTICIPANTS || rule->parameter_count > SHAPE_MOST_PARAMETERS))
        is_proved = prover_fail(&prover, rule->span, "this rule has too many parameters and quantifiers");
    if (is_proved && is_start && (found->parameters > 1 || prover.witnesses))
        is_proved = prover_fail(&prover, rule->span, "this start state singles out several elements of %s",
                                prover_name(&prover));
    prover_free(&prover);
    return is_proved;
}

static struct rule_shape *prove_rules(const struct thread_shape *shape, struct rule *const *rules, size_t count,
                                      bool is_start, struct diagnostics *diagnostics)
{
    struct rule_shape *found = ARENA_ARRAY(shape->arena, struct rule_shape, count + 1);
    for (size_t r = 0; r < count; r++)
        prove_rule(shape, rules[r], is_start, &found[r], diagnostics);
    return found;
}

/* --- variables --- */

static void prove_variable(const struct thread_shape *shape, const struct variable *variable,
                           struct diagnostics *diagnostics)
{
    const struct type *type = variable->type, *thread = shape->thread;
    if (!type_mentions(type, thread))
        return;
    if (type->kind == TYPE_ARRAY && type->index == thread && !type_mentions(type->element, thread))
        return;
    diag_error(diagnostics, variable->span, "%s is neither shared nor an array with one element for each %s",
               variable->name, thread->name ? thread->name : "thread");
}

/* --- properties --- */

static void prove_invariant(const struct thread_shape *shape, const struct property *property,
                            struct property_shape *found)
{
    struct diagnostics diagnostics = {0};
    struct prover prover = {.shape = shape, .thread = shape->thread, .diagnostics = &diagnostics};
    if (!prove_expr(&prover, property->formula, POLARITY_DENIED))
        found->left_out = diag_first(&diagnostics, shape->arena);
    else if (prover.witnesses > SHAPE_MOST_PARTICIPANTS)
        found->left_out = "it is about too many threads at once";
    found->witnesses = prover.witnesses;
    prover_free(&prover);
    diag_free(&diagnostics);
}

static void prove_property(const struct thread_shape *shape, const struct property *property,
                           struct property_shape *found, struct diagnostics *diagnostics)
{
    switch (property->kind) {
    case PROPERTY_INVARIANT:
        prove_invariant(shape, property, found);
        break;
    case PROPERTY_ASSUMPTION:
        diag_error(diagnostics, property->span, "an assumption about states may not hold with more threads");
        break;
    case PROPERTY_ASSERTION:
    case PROPERTY_ERROR:
    case PROPERTY_RUNTIME:
        break;
    default:
        found->left_out = "it is not decided for every number of threads: only invariants and assertions are";
    }
}

/* --- all --- */

static bool find_population(const struct system *system, struct diagnostics *diagnostics)
{
    if (system->population && !system_has_probabilities(system))
        return true;
    bool has_types = system->language->declares_types;
    diag_error(diagnostics, (struct span){0}, "%s",
               system->population ? "it has probabilities"
               : has_types        ? "no type of threads is known whose number could vary"
                                  : "the number of processes is fixed by the text of such a model");
    if (!system->population && has_types)
        diag_hint(diagnostics,
                  "declare one scalarset by a constant that is used nowhere else: const N: 3; type Thread: "
                  "scalarset(N);");
    return false;
}

struct thread_shape *shape_find(const struct system *system, struct diagnostics *diagnostics)
{
    size_t errors = diagnostics->errors;
    if (system_has_macro_steps(system)) {
        diag_error(diagnostics, (struct span){0}, "%s", system_refuses_single_rules(system));
        return NULL;
    }
    if (!find_population(system, diagnostics))
        return NULL;
    struct arena *arena = arena_create();
    struct thread_shape *shape = ARENA_NEW(arena, struct thread_shape);
    *shape = (struct thread_shape){.system = system, .thread = system->population, .arena = arena};
    shape->properties = ARENA_ARRAY(arena, struct property_shape, system->properties.count);
    for (size_t v = 0; v < system->globals.count; v++)
        prove_variable(shape, system->globals.items[v], diagnostics);
    for (size_t p = 0; p < system->properties.count; p++)
        prove_property(shape, system->properties.items[p], &shape->properties[p], diagnostics);
    if (diagnostics->errors == errors) {
        shape->rules = prove_rules(shape, system->rules.items, system->rules.count, false, diagnostics);
        shape->starts = prove_rules(shape, system->starts.items, system->starts.count, true, diagnostics);
    }
    if (diagnostics->errors == errors)
        return shape;
    shape_free(shape);
    return NULL;
}

void shape_free(struct thread_shape *shape)
{
    if (shape)
        arena_destroy(shape->arena);
}
