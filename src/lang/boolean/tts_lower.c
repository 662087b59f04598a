/* Edges become few rules: those between the same two local states that change the number of the shared state by the
 * same amount are one rule, whose guard says for which shared states. Where the shared state is a vector of bits, as it
 * is in what tools write, an assignment to one bit is two such rules however many vectors there are. */
#include <stdlib.h>

#include "base/text.h"
#include "lang/boolean/boolean.h"
#include "lang/boolean/tts.h"

struct tts_lowering {
    struct threads threads;
    struct tts *tts;
    const struct variable *shared, *local;
    const struct variable *thread, *other; /* that moves; that is started */
    bool has_spawn;
};

static int32_t change_of(const struct tts_edge *edge)
{
    return (int32_t)edge->next_shared - (int32_t)edge->shared;
}

static int compare_numbers(int64_t left, int64_t right)
{
    return (left > right) - (left < right);
}

/* Those of one rule. */
static int compare_kinds(const struct tts_edge *a, const struct tts_edge *b)
{
    int order = compare_numbers(a->is_spawn, b->is_spawn);
    order = order ? order : compare_numbers(a->local, b->local);
    order = order ? order : compare_numbers(a->next_local, b->next_local);
    return order ? order : compare_numbers(change_of(a), change_of(b));
}

static int compare_edges(const void *left, const void *right)
{
    const struct tts_edge *a = left, *b = right;
    int order = compare_kinds(a, b);
    order = order ? order : compare_numbers(a->shared, b->shared);
    return order ? order : compare_numbers(a->span.line, b->span.line);
}

/* Consecutive shared states. */
struct tts_run {
    uint32_t from, to;
};

struct tts_runs {
    struct tts_run *items;
    size_t count, capacity;
};

static struct expr *compare_shared(struct tts_lowering *lower, enum operator op, uint32_t value, struct span span)
{
    struct expr *number = expr_const(lower->threads.system, lower->shared->type, value, span);
    struct expr *shared = threads_value(&lower->threads, lower->shared, span);
    return expr_binary(lower->threads.system, op, shared, number, span);
}

static struct expr *in_run(struct tts_lowering *lower, const struct tts_run *run, struct span span)
{
    if (run->from == run->to)
        return compare_shared(lower, OP_EQ, run->from, span);
    return threads_both(&lower->threads, compare_shared(lower, OP_GE, run->from, span),
                        compare_shared(lower, OP_LE, run->to, span), span);
}

/* Is the shared state in one of the runs? A search tree: they may be many. */
static struct expr *in_runs(struct tts_lowering *lower, const struct tts_run *runs, size_t count, struct span span)
{
    if (count == 1)
        return in_run(lower, runs, span);
    size_t half = count / 2;
    struct expr *left = in_runs(lower, runs, half, span);
    struct expr *right = in_runs(lower, runs + half, count - half, span);
    return expr_cond(lower->threads.system, compare_shared(lower, OP_LT, runs[half].from, span), left, right, span);
}

static struct expr *guard_shared(struct tts_lowering *lower, const struct tts_edge *edges, size_t count)
{
    struct tts_runs runs = {0};
    for (size_t i = 0; i < count; i++) {
        uint32_t shared = edges[i].shared;
        if (runs.count && shared <= VEC_LAST(&runs).to + 1)
            VEC_LAST(&runs).to = shared;
        else
            VEC_PUSH(&runs, ((struct tts_run){shared, shared}));
    }
    bool is_any = runs.count == 1 && runs.items[0].from == 0 && runs.items[0].to == lower->tts->shared_count - 1;
    struct expr *guard = is_any ? NULL : in_runs(lower, runs.items, runs.count, edges->span);
    VEC_FREE(&runs);
    return guard;
}

static const char *rule_name(struct tts_lowering *lower, const struct tts_edge *edge)
{
    struct text name = {0};
    text_format(&name, "l%u %s l%u", edge->local, edge->is_spawn ? "+>" : "->", edge->next_local);
    int32_t change = change_of(edge);
    if (change)
        text_format(&name, ", shared %c %d", change < 0 ? '-' : '+', abs(change));
    const char *kept = arena_string(lower->threads.system->arena, text_chars(&name));
    text_free(&name);
    return kept;
}

static void change_shared(struct tts_lowering *lower, const struct tts_edge *edge, size_t count,
                          struct thread_steps *body)
{
    if (!change_of(edge))
        return;
    struct threads *threads = &lower->threads;
    struct span span = edge->span;
    struct expr *value = expr_const(threads->system, lower->shared->type, edge->next_shared, span);
    if (count > 1)
        value = expr_binary(threads->system, OP_ADD, threads_value(threads, lower->shared, span),
                            expr_const(threads->system, threads->system->integer, change_of(edge), span), span);
    threads_assign(threads, body, place_variable(threads->system, lower->shared, span), value, span);
}

/* Edges of one kind, sorted by their shared states. */
static void lower_edges(struct tts_lowering *lower, const struct tts_edge *edges, size_t count)
{
    struct threads *threads = &lower->threads;
    struct span span = edges->span;
    struct rule *rule = system_add_rule(threads->system, rule_name(lower, edges), span);
    struct thread_steps body = {0};
    threads_add_parameter(threads, rule, lower->thread);
    rule->guard = threads_is(threads, lower->local, lower->thread, edges->local, span);
    if (edges->is_spawn) {
        threads_add_parameter(threads, rule, lower->other);
        struct expr *is_free = threads_is(threads, lower->local, lower->other, lower->tts->local_count, span);
        rule->guard = threads_both(threads, rule->guard, is_free, span);
    }
    rule->guard = threads_both(threads, rule->guard, guard_shared(lower, edges, count), span);
    threads_assign_own(threads, &body, lower->local, edges->is_spawn ? lower->other : lower->thread, edges->next_local,
                       span);
    change_shared(lower, edges, count, &body);
    rule->body = threads_seal(threads, &body);
}

static void lower_all_edges(struct tts_lowering *lower, struct diagnostics *diagnostics)
{
    struct tts *tts = lower->tts;
    if (tts->edges.count)
        qsort(tts->edges.items, tts->edges.count, sizeof *tts->edges.items, compare_edges);
    for (size_t first = 0, last = 0; first < tts->edges.count && !diag_is_late(diagnostics); first = last) {
        while (last < tts->edges.count && !compare_kinds(&tts->edges.items[first], &tts->edges.items[last]))
            last++;
        lower_edges(lower, &tts->edges.items[first], last - first);
    }
}

/* Where threads are started, any number of the threads is there from the start; that a thread in local state 0 comes
 * later makes no difference to what can be reached, since it may wait. */
static void lower_arrival(struct tts_lowering *lower)
{
    struct threads *threads = &lower->threads;
    struct span span = lower->tts->span;
    struct thread_steps body = {0};
    struct rule *rule = system_add_rule(threads->system, "a thread begins", span);
    threads_add_parameter(threads, rule, lower->thread);
    rule->guard = threads_is(threads, lower->local, lower->thread, lower->tts->local_count, span);
    threads_assign_own(threads, &body, lower->local, lower->thread, 0, span);
    rule->body = threads_seal(threads, &body);
}

static void lower_start(struct tts_lowering *lower)
{
    struct threads *threads = &lower->threads;
    struct span span = lower->tts->span;
    struct rule *start = system_add_start(threads->system, "start", span);
    struct thread_steps body = {0}, each = {0};
    threads_assign(threads, &body, place_variable(threads->system, lower->shared, span),
                   expr_const(threads->system, lower->shared->type, 0, span), span);
    threads_assign_own(threads, &each, lower->local, lower->other, lower->has_spawn ? lower->tts->local_count : 0,
                       span);
    VEC_PUSH(&body, threads_for_all(threads, lower->other, &each, span));
    start->body = threads_seal(threads, &body);
}

/* Some thread that is none of the first `depth` is in the local state of that position, and so on. */
static struct expr *exist_in(struct tts_lowering *lower, const struct tts_bad *bad, uint32_t depth,
                             const struct variable **named)
{
    struct threads *threads = &lower->threads;
    if (depth == bad->count)
        return compare_shared(lower, OP_EQ, bad->shared, bad->span);
    const char *name = arena_format(threads->system->arena, depth ? "t%u" : "t", depth + 1);
    named[depth] = threads_bind(threads, name, threads->thread, bad->span);
    struct expr *body = threads_is(threads, lower->local, named[depth], bad->locals[depth], bad->span);
    for (uint32_t i = 0; i < depth; i++)
        body = threads_both(threads,
                            expr_binary(threads->system, OP_NE, threads_value(threads, named[i], bad->span),
                                        threads_value(threads, named[depth], bad->span), bad->span),
                            body, bad->span);
    body = threads_both(threads, body, exist_in(lower, bad, depth + 1, named), bad->span);
    return threads_exists(threads, named[depth], body, bad->span);
}

static void lower_bad(struct tts_lowering *lower, const struct tts_bad *bad)
{
    const struct variable *named[TTS_MAX_TOGETHER];
    struct threads *threads = &lower->threads;
    struct expr *formula = threads_not(threads, exist_in(lower, bad, 0, named), bad->span);
    struct text name = {0};
    text_format(&name, "never %u|%u", bad->shared, bad->locals[0]);
    for (uint32_t i = 1; i < bad->count; i++)
        text_format(&name, ",%u", bad->locals[i]);
    system_add_property(threads->system, PROPERTY_INVARIANT, text_chars(&name), formula, bad->span);
    text_free(&name);
}

static const struct type *local_type(struct tts_lowering *lower)
{
    uint32_t count = lower->tts->local_count;
    struct arena *arena = lower->threads.system->arena;
    const char **labels = ARENA_ARRAY(arena, const char *, count + 1);
    for (uint32_t i = 0; i < count; i++)
        labels[i] = arena_format(arena, "l%u", i);
    labels[count] = "unborn";
    return type_enum(lower->threads.system, "Local", labels, count + lower->has_spawn, lower->tts->span);
}

static void declare(struct tts_lowering *lower)
{
    struct threads *threads = &lower->threads;
    struct span span = lower->tts->span;
    for (size_t i = 0; i < lower->tts->edges.count; i++)
        lower->has_spawn |= lower->tts->edges.items[i].is_spawn;
    const struct type *shared = type_range(threads->system, "Shared", 0, (int32_t)lower->tts->shared_count - 1, span);
    lower->shared = system_add_global(threads->system, "shared", shared, span);
    lower->local = threads_add_local(threads, "local", local_type(lower), span);
    lower->thread = threads_bind(threads, "t", threads->thread, span);
    lower->other = threads_bind(threads, "u", threads->thread, span);
}

struct system *tts_lower(struct tts *tts, const char *name, uint32_t thread_count, struct diagnostics *diagnostics)
{
    struct tts_lowering lower = {.threads = threads_create(name, &language_tts, thread_count, tts->span), .tts = tts};
    declare(&lower);
    lower_all_edges(&lower, diagnostics);
    if (lower.has_spawn)
        lower_arrival(&lower);
    lower_start(&lower);
    for (size_t i = 0; i < tts->bad.count; i++)
        lower_bad(&lower, &tts->bad.items[i]);
    if (!diagnostics->errors && !system_finish(lower.threads.system))
        report_error(diagnostics, tts->span, "the threads take too much memory");
    if (!diagnostics->errors)
        return lower.threads.system;
    system_destroy(lower.threads.system);
    return NULL;
}
