/* A run: what it knows, how it branches, what it gives up at. */
#include <stdarg.h>
#include <string.h>

#include "ir/same.h"
#include "reduce/inner.h"

void run_create(struct reduce_run *run, struct reducer *reducer, enum run_mode mode, const struct rule *rule)
{
    const struct reduction *reduction = reducer->reduction;
    const struct system *system = reducer->system;
    *run = (struct reduce_run){.reducer = reducer, .out = reducer->out, .mode = mode, .rule = rule};
    uint32_t scratch = system->memory_cells - system->state_cells, parameters = rule ? rule->parameter_count : 0;
    run->parameters = memory_zeroed(parameters + 1, sizeof *run->parameters);
    run->asked = memory_zeroed(parameters + 1, sizeof *run->asked);
    run->holds = memory_zeroed(reduction->pointer_count + 1, sizeof *run->holds);
    run->held = memory_zeroed(reduction->pointer_count + 1, sizeof *run->held);
    run->is_decided = memory_zeroed(reduction->pointer_count + 1, sizeof *run->is_decided);
    run->is_set = memory_zeroed(reduction->pointer_count + 1, sizeof *run->is_set);
    run->parted = memory_zeroed(reduction->pointer_count + 1, sizeof *run->parted);
    run->memory = memory_zeroed(scratch + 1, sizeof *run->memory);
    run->bound = memory_zeroed(scratch + 1, sizeof *run->bound);
    run->offsets = memory_zeroed(reduction->family_count, sizeof *run->offsets);
    for (uint32_t c = 0; c < scratch; c++)
        run->memory[c] = value_known(UNDEFINED);
}

static void run_free_element(struct element *element)
{
    free(element->written); /* and the values */
}

void run_destroy(struct reduce_run *run)
{
    for (size_t e = 0; e < run->elements.count; e++)
        run_free_element(&run->elements.items[e]);
    for (uint32_t f = 0; f < run->reducer->reduction->family_count; f++)
        VEC_FREE(&run->offsets[f]);
    VEC_FREE(&run->elements);
    VEC_FREE(&run->log);
    VEC_FREE(&run->events);
    VEC_FREE(&run->choices);
    VEC_FREE(&run->pending);
    VEC_FREE(&run->facts);
    VEC_FREE(&run->frames);
    VEC_FREE(&run->touched);
    VEC_FREE(&run->crowd_reads);
    VEC_FREE(&run->crowd_writes);
    VEC_FREE(&run->sums);
    VEC_FREE(&run->sum_events);
    free(run->parameters);
    free(run->asked);
    free(run->holds);
    free(run->held);
    free(run->is_decided);
    free(run->is_set);
    free(run->parted);
    free(run->memory);
    free(run->bound);
    free(run->offsets);
}

int32_t *run_offset(struct reduce_run *run, uint32_t family, uint32_t location)
{
    while (run->offsets[family].count <= location)
        VEC_PUSH(&run->offsets[family], 0);
    return &run->offsets[family].items[location];
}

/* Before the start: all elements in one location, everything undefined. */
static void run_begin_start(struct reduce_run *run)
{
    const struct reduction *reduction = run->reducer->reduction;
    for (uint32_t f = 0; f < reduction->family_count; f++) {
        const struct reduce_family *family = &reduction->families[f];
        int32_t *values = memory_alloc((family->cell_count + 1) * sizeof *values);
        for (uint32_t c = 0; c < family->cell_count; c++)
            values[c] = UNDEFINED;
        *run_offset(run, f, location_intern(run->reducer, f, values)) = (int32_t)family->size;
        free(values);
    }
    for (uint32_t p = 0; p < reduction->pointer_count; p++) {
        run->holds[p] = run->held[p] = value_known(UNDEFINED);
        run->is_decided[p] = true;
    }
}

void run_begin(struct reduce_run *run, const struct answer *answers, size_t count)
{
    const struct reduction *reduction = run->reducer->reduction;
    while (run->elements.count) {
        run_free_element(&VEC_LAST(&run->elements));
        (void)VEC_POP(&run->elements);
    }
    while (run->log.count) {
        struct reduce_undo undo = VEC_POP(&run->log);
        run->memory[undo.cell] = undo.value;
    }
    for (uint32_t f = 0; f < reduction->family_count; f++)
        if (run->offsets[f].count)
            memset(run->offsets[f].items, 0, run->offsets[f].count * sizeof(int32_t));
    memset(run->asked, 0, (run->rule ? run->rule->parameter_count : 0) * sizeof *run->asked);
    memset(run->is_decided, 0, reduction->pointer_count * sizeof *run->is_decided);
    memset(run->is_set, 0, reduction->pointer_count * sizeof *run->is_set);
    VEC_CLEAR(&run->events);
    VEC_CLEAR(&run->pending);
    VEC_CLEAR(&run->facts);
    VEC_CLEAR(&run->crowd_reads);
    VEC_CLEAR(&run->crowd_writes);
    run->first_read = run->first_write = run->outer_write = 0;
    VEC_CLEAR(&run->sums);
    VEC_CLEAR(&run->sum_events);
    run->next_choice = 0;
    run->pure = run->crowd_depth = 0;
    run->steps = 0;
    run->has_moved = false;
    VEC_CLEAR(&run->frames);
    VEC_CLEAR(&run->touched);
    run->calls = 0;
    for (size_t t = 0; t < run->reducer->temporaries.count; t++)
        run->reducer->temporaries.items[t].is_used = false;
    if (run->mode == RUN_START)
        run_begin_start(run);
    for (size_t a = 0; a < count; a++)
        ask_apply(run, &answers[a]);
}

bool run_next_path(struct reduce_run *run)
{
    while (run->choices.count && !VEC_LAST(&run->choices))
        (void)VEC_POP(&run->choices);
    if (!run->choices.count)
        return false;
    VEC_LAST(&run->choices) = false;
    return true;
}

/* Was it decided on this path, with nothing written since? Facts come in pairs: condition, then NULL when false. */
static bool run_knows(const struct reduce_run *run, const struct expr *condition, bool *taken)
{
    for (size_t i = 0; i + 1 < run->facts.count; i += 2)
        if (same_expr(run->facts.items[i], condition)) {
            *taken = run->facts.items[i + 1] != NULL;
            return true;
        }
    return false;
}

static bool run_decide(struct reduce_run *run, struct expr *condition)
{
    bool taken = true;
    if (run->reducer->options->most_work) /* somebody waits: what it takes to look there counts, too */
        run->reducer->work += run->facts.count / 2;
    if (condition->kind == EXPR_CONST)
        return condition->value != 0;
    if (run_knows(run, condition, &taken))
        return taken;
    if (run->next_choice == run->choices.count)
        VEC_PUSH(&run->choices, true);
    taken = run->choices.items[run->next_choice++];
    struct reduce_event event = {.kind = EVENT_BRANCH, .condition = condition, .taken = taken};
    VEC_PUSH(&run->events, event);
    VEC_PUSH(&run->facts, condition);
    VEC_PUSH(&run->facts, taken ? condition : NULL);
    return taken;
}

struct expr *run_presence(struct reduce_run *run, struct pending *pending)
{
    if (!pending->condition)
        pending->condition = make_presence(run, pending->family, pending->location, pending->offset);
    return pending->condition;
}

enum reduce_go run_settle(struct reduce_run *run)
{
    for (size_t i = 0; i < run->pending.count; i++) {
        struct pending *pending = &run->pending.items[i];
        if (pending->state != PENDING_OPEN)
            continue;
        pending->state = run_decide(run, run_presence(run, pending)) ? PENDING_TRUE : PENDING_FALSE;
        if (pending->state == PENDING_FALSE)
            return GO_SKIP;
    }
    return GO_OK;
}

enum { RUN_MOST_BRANCHES = 4000 };

enum reduce_go run_branch(struct reduce_run *run, struct expr *condition, bool *taken)
{
    if (condition->kind == EXPR_CONST) {
        *taken = condition->value != 0;
        return GO_OK;
    }
    enum reduce_go go = run_settle(run);
    if (go != GO_OK)
        return go;
    if (run->choices.count > RUN_MOST_BRANCHES)
        return run_refuse(run, condition->span, "too many cases of shared values to distinguish");
    *taken = run_decide(run, condition);
    return GO_OK;
}

enum reduce_go run_check(struct reduce_run *run)
{
    if (!run->reducer->is_broken)
        return GO_OK;
    return run_refuse(run, (struct span){0},
                      "internal error, please report it: a local state that the analysis has missed");
}

enum reduce_go run_spend(struct reduce_run *run, struct span span)
{
    const struct reduce_options *options = run->reducer->options;
    if (watch_is_up())
        return run_refuse(run, span, "the time is over");
    if (run->reducer->work++ < (options->most_work ? options->most_work : REDUCE_WORK))
        return GO_OK;
    return run_refuse(run, span, "too many cases to distinguish: the translation takes too long");
}

enum reduce_go run_ask(struct reduce_run *run, enum question_kind kind, uint32_t subject, uint32_t other)
{
    run->question = (struct reduce_question){kind, subject, other};
    return GO_ASK;
}

enum reduce_go run_fault(struct reduce_run *run, struct span span, const char *what)
{
    enum reduce_go go = run_settle(run);
    if (go != GO_OK)
        return go;
    run->fault_span = span;
    run->fault_what = what;
    run->fault_property = run->reducer->system->properties.items[SYSTEM_RUNTIME];
    return GO_FAULT;
}

enum reduce_go run_refuse(struct reduce_run *run, struct span span, const char *format, ...)
{
    struct text text = {0};
    va_list arguments;
    va_start(arguments, format);
    text_vformat(&text, format, arguments);
    va_end(arguments);
    if (!span.line && run->rule)
        span = run->rule->span;
    if (!run->reducer->diagnostics->errors)
        diag_error(run->reducer->diagnostics, span, "counter abstraction: %s", text_chars(&text));
    text_free(&text);
    return GO_REFUSE;
}

void run_push_event(struct reduce_run *run, struct stmt *stmt)
{
    struct reduce_event event = {.kind = EVENT_STMT, .stmt = stmt};
    VEC_PUSH(&run->events, event);
    VEC_CLEAR(&run->facts);
    VEC_CLEAR(&run->touched);
}

enum reduce_go run_emit(struct reduce_run *run, struct stmt *stmt)
{
    enum reduce_go go = run_settle(run);
    if (go != GO_OK)
        return go;
    if (run->pure)
        return run_refuse(run, stmt->span, "a function that changes the state, called in an expression");
    run_push_event(run, stmt);
    return GO_OK;
}

uint32_t run_add_element(struct reduce_run *run, uint32_t number, uint32_t location)
{
    const struct reduce_family *family = &run->reducer->reduction->families[number];
    struct element element = {.family = number, .location = location};
    size_t bytes = family->words * sizeof *element.written, more = family->cell_count * sizeof *element.values;
    element.written = memory_alloc(bytes + more);
    element.values = (int32_t *)(element.written + family->words);
    memset(element.written, 0, bytes);
    memcpy(element.values, family->locations.items[location].values, more);
    VEC_PUSH(&run->elements, element);
    --*run_offset(run, number, location);
    return (uint32_t)run->elements.count - 1;
}

void run_drop_element(struct reduce_run *run)
{
    struct element element = VEC_POP(&run->elements);
    ++*run_offset(run, element.family, element.location);
    run_free_element(&element);
}

uint32_t run_settle_element(struct reduce_run *run, const struct element *element)
{
    const struct reduce_family *family = &run->reducer->reduction->families[element->family];
    uint32_t location = location_intern(run->reducer, element->family, element->values);
    if (run->reducer->is_analysis || family->locations.items[location].class == NONE)
        return location;
    return family->classes.items[family->locations.items[location].class];
}

bool run_is_sum(const struct reduce_run *run, size_t first, uint32_t cell)
{
    for (size_t i = first; i < run->sums.count; i++)
        if (run->sums.items[i] == cell)
            return true;
    return false;
}
