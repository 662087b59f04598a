#include "lang/boolean/threads.h"

struct threads threads_create(const char *name, const struct language *language, uint32_t thread_count,
                              struct span span)
{
    struct threads threads = {.system = system_create(name)};
    threads.system->language = language;
    threads.thread = type_index(threads.system, "Thread", thread_count, span);
    threads.system->population = threads.thread;
    struct expr *always = threads_truth(&threads, true, span);
    threads.system->properties.items[SYSTEM_DEADLOCK]->formula = always;
    return threads;
}

const struct variable *threads_add_local(struct threads *threads, const char *name, const struct type *type,
                                         struct span span)
{
    const struct type *array = type_array(threads->system, NULL, threads->thread, type, span);
    return system_add_global(threads->system, name, array, span);
}

const struct variable *threads_bind(struct threads *threads, const char *name, const struct type *type,
                                    struct span span)
{
    return system_add_scratch(threads->system, name, type, span);
}

struct expr *threads_truth(struct threads *threads, bool value, struct span span)
{
    return expr_const(threads->system, threads->system->boolean, value, span);
}

struct expr *threads_value(struct threads *threads, const struct variable *variable, struct span span)
{
    return expr_read(threads->system, place_variable(threads->system, variable, span), false, span);
}

struct place *threads_place(struct threads *threads, const struct variable *local, const struct variable *thread,
                            struct span span)
{
    struct place *base = place_variable(threads->system, local, span);
    return place_element(threads->system, base, threads_value(threads, thread, span), span);
}

struct expr *threads_own(struct threads *threads, const struct variable *local, const struct variable *thread,
                         struct span span)
{
    return expr_read(threads->system, threads_place(threads, local, thread, span), false, span);
}

static struct expr *constant_of(struct threads *threads, const struct variable *local, uint32_t ordinal,
                                struct span span)
{
    const struct type *type = local->type->element;
    return expr_const(threads->system, type, type_code(type, ordinal), span);
}

struct expr *threads_is(struct threads *threads, const struct variable *local, const struct variable *thread,
                        uint32_t ordinal, struct span span)
{
    return expr_binary(threads->system, OP_EQ, threads_own(threads, local, thread, span),
                       constant_of(threads, local, ordinal, span), span);
}

struct expr *threads_both(struct threads *threads, struct expr *left, struct expr *right, struct span span)
{
    return left && right ? expr_binary(threads->system, OP_AND, left, right, span) : left ? left : right;
}

struct expr *threads_not(struct threads *threads, struct expr *operand, struct span span)
{
    return expr_unary(threads->system, OP_NOT, operand, span);
}

struct expr *threads_exists(struct threads *threads, const struct variable *thread, struct expr *body, struct span span)
{
    return expr_quantifier(threads->system, OP_EXISTS, thread, (struct domain){.type = threads->thread}, body, span);
}

void threads_assign(struct threads *threads, struct thread_steps *list, struct place *place, struct expr *value,
                    struct span span)
{
    struct stmt *stmt = stmt_new(threads->system, STMT_ASSIGN, span);
    stmt->place = place;
    stmt->value = value;
    VEC_PUSH(list, stmt);
}

void threads_assign_own(struct threads *threads, struct thread_steps *list, const struct variable *local,
                        const struct variable *thread, uint32_t ordinal, struct span span)
{
    threads_assign(threads, list, threads_place(threads, local, thread, span),
                   constant_of(threads, local, ordinal, span), span);
}

struct block threads_seal(struct threads *threads, struct thread_steps *list)
{
    struct block block = {.count = (uint32_t)list->count};
    block.items = VEC_SEAL(list, threads->system->arena);
    return block;
}

struct stmt *threads_for_all(struct threads *threads, const struct variable *thread, struct thread_steps *list,
                             struct span span)
{
    struct stmt *stmt = stmt_new(threads->system, STMT_FOR, span);
    stmt->variable = thread;
    stmt->domain.type = threads->thread;
    stmt->body = threads_seal(threads, list);
    return stmt;
}

void threads_add_parameter(struct threads *threads, struct rule *rule, const struct variable *variable)
{
    uint32_t count = rule->parameter_count;
    struct parameter *parameters = ARENA_ARRAY(threads->system->arena, struct parameter, count + 1);
    for (uint32_t i = 0; i < count; i++)
        parameters[i] = rule->parameters[i];
    parameters[count] = (struct parameter){.variable = variable, .type = variable->type};
    rule->parameters = parameters;
    rule->parameter_count = count + 1;
}

bool threads_check(const struct source *source, const struct reading *reading, struct diagnostics *diagnostics)
{
    struct span whole = {.source = source};
    if (reading->manner.threads > THREADS_MAX_COUNT)
        diag_error(diagnostics, whole, "there can be at most %d threads", THREADS_MAX_COUNT);
    if (reading->manner.recursion > THREADS_MAX_RECURSION)
        diag_error(diagnostics, whole, "recursion can be at most %d deep", THREADS_MAX_RECURSION);
    if (reading->define_count)
        diag_error(diagnostics, whole, "-D %s=%s: the model declares no constant \"%s\"", reading->defines[0].name,
                   reading->defines[0].value, reading->defines[0].name);
    return !diagnostics->errors;
}
