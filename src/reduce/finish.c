/* The end of a run of a rule: elements go back to the counters, pointers follow them (the paper's update1 and
 * update2). */
#include "reduce/inner.h"

static const struct span nowhere;

static bool finish_is_element(const struct reduce_value *value)
{
    return value->kind == VALUE_ELEMENT || value->kind == VALUE_ELSEWHERE;
}

/* Has a named element that the pointer may hold moved? */
static bool finish_concerns(const struct reduce_run *run, const uint32_t *ends, const struct pointer *pointer)
{
    for (uint32_t e = 0; e < run->elements.count; e++) {
        const struct element *element = &run->elements.items[e];
        if (ends[e] != element->location &&
            type_has(pointer->type, run->reducer->reduction->families[element->family].code))
            return true;
    }
    return false;
}

static void finish_undefine(struct reduce_run *run, const struct variable *variable)
{
    struct stmt *stmt = stmt_new(run->out, STMT_UNDEFINE, nowhere);
    stmt->place = make_place(run, variable);
    run_push_event(run, stmt);
}

/* What a pointer holds now, as a location or another value. */
static void finish_set_pointer(struct reduce_run *run, uint32_t number, const uint32_t *ends)
{
    const struct reduction *reduction = run->reducer->reduction;
    struct pointer *pointer = &reduction->pointers[number];
    const struct reduce_value *value = &run->held[number];
    if (run->reducer->is_analysis) {
        bool is_undefined = value->kind == VALUE_KNOWN && value->code == UNDEFINED;
        if ((value->kind == VALUE_KNOWN && !pointer->may_miss) || (is_undefined && !pointer->may_be_undefined))
            pointer->may_miss = run->reducer->found = run->reducer->has_missed = true;
        pointer->may_be_undefined |= is_undefined;
        return;
    }
    for (uint32_t f = 0; f < reduction->family_count; f++) {
        if (!pointer->at[f])
            continue;
        if (value->kind == VALUE_ELEMENT && value->family == f)
            run_push_event(
                run, make_assign(run, make_place(run, pointer->at[f]), make_location(run, f, ends[value->number])));
        else
            finish_undefine(run, pointer->at[f]);
    }
    if (!pointer->other)
        return;
    if (value->kind == VALUE_KNOWN && value->code != UNDEFINED)
        run_push_event(run, make_assign(run, make_place(run, pointer->other),
                                        expr_const(run->out, pointer->other->type, value->code, nowhere)));
    else
        finish_undefine(run, pointer->other);
}

/* Do two pointers hold the same now? Asks what it must know; *is_new: it was assigned to and may have changed. */
static enum reduce_go finish_pair(struct reduce_run *run, uint32_t a, uint32_t b)
{
    const struct reduction *reduction = run->reducer->reduction;
    const struct variable *same = run->reducer->is_analysis ? NULL : reduction->pointers[a].same[b];
    enum reduce_go go = GO_OK;
    bool is_shared = false;
    for (uint32_t f = 0; f < reduction->family_count; f++)
        is_shared |= type_has(reduction->pointers[a].type, reduction->families[f].code) &&
                     type_has(reduction->pointers[b].type, reduction->families[f].code);
    if (!is_shared || (!run->is_set[a] && !run->is_set[b] && run->mode != RUN_START))
        return GO_OK;
    bool is_false =
        (run->is_set[a] && run->held[a].kind == VALUE_KNOWN) || (run->is_set[b] && run->held[b].kind == VALUE_KNOWN);
    if (!is_false && !run->is_set[a])
        go = ask_pointer(run, a);
    if (!is_false && go == GO_OK && !run->is_set[b])
        go = ask_pointer(run, b);
    if (go != GO_OK || run->reducer->is_analysis)
        return go;
    bool is_same = !is_false && run->held[a].kind == VALUE_ELEMENT && run->held[b].kind == VALUE_ELEMENT &&
                   run->held[a].number == run->held[b].number;
    run_push_event(run,
                   make_assign(run, make_place(run, same), expr_const(run->out, run->out->boolean, is_same, nowhere)));
    return GO_OK;
}

static enum reduce_go finish_pointers(struct reduce_run *run, const uint32_t *ends)
{
    const struct reduction *reduction = run->reducer->reduction;
    enum reduce_go go = GO_OK;
    for (uint32_t p = 0; p < reduction->pointer_count && go == GO_OK; p++)
        if (!run->is_set[p] && finish_concerns(run, ends, &reduction->pointers[p]))
            go = ask_pointer(run, p);
    for (uint32_t p = 0; p < reduction->pointer_count && go == GO_OK; p++)
        for (uint32_t q = 0; q < p && go == GO_OK; q++)
            go = finish_pair(run, p, q);
    for (uint32_t p = 0; p < reduction->pointer_count && go == GO_OK; p++) {
        const struct reduce_value *value = &run->held[p];
        bool has_moved = !run->is_set[p] && run->is_decided[p] && value->kind == VALUE_ELEMENT &&
                         ends[value->number] != run->elements.items[value->number].location;
        bool is_set = run->is_set[p] && value->kind != VALUE_ELSEWHERE;
        if (run->mode == RUN_START || is_set || has_moved)
            finish_set_pointer(run, p, ends);
    }
    return go;
}

/* Does a pointer hold another element than before? */
static enum reduce_go finish_exchange(struct reduce_run *run, enum reduce_change *change)
{
    for (uint32_t p = 0; p < run->reducer->reduction->pointer_count && *change == CHANGE_NONE; p++) {
        const struct reduce_value *now = &run->held[p], *before = &run->holds[p];
        if (!run->is_set[p] || now->kind != VALUE_ELEMENT)
            continue;
        enum reduce_go go = ask_pointer(run, p);
        if (go != GO_OK)
            return go;
        if (finish_is_element(before) && (before->kind != now->kind || before->number != now->number))
            *change = CHANGE_EXCHANGE;
    }
    return GO_OK;
}

static void finish_counter(struct reduce_run *run, uint32_t family, uint32_t location, int32_t offset)
{
    struct expr *count = make_count(run, family, location);
    struct expr *by = make_number(run, offset < 0 ? -offset : offset);
    run_push_event(run, make_assign(run, make_count_place(run, family, location),
                                    make_binary(run, offset < 0 ? OP_SUB : OP_ADD, count, by)));
}

static void finish_start_counter(struct reduce_run *run, uint32_t number, uint32_t class)
{
    const struct reduce_family *family = &run->reducer->reduction->families[number];
    int64_t sum = 0;
    for (uint32_t l = 0; l < run->offsets[number].count; l++)
        if (family->locations.items[l].class == class)
            sum += run->offsets[number].items[l];
    if (sum)
        run_push_event(
            run, make_assign(run, make_count_place(run, number, family->classes.items[class]), make_number(run, sum)));
}

static void finish_start(struct reduce_run *run)
{
    const struct reduction *reduction = run->reducer->reduction;
    for (uint32_t f = 0; f < reduction->family_count; f++) {
        const struct reduce_family *family = &reduction->families[f];
        if (!run->reducer->is_analysis) {
            struct stmt *stmt = stmt_new(run->out, STMT_CLEAR, nowhere);
            stmt->place = make_place(run, family->count);
            run_push_event(run, stmt);
        }
        for (uint32_t l = 0; l < run->offsets[f].count; l++)
            if (run->offsets[f].items[l] > 0)
                location_reach(run->reducer, f, l);
        for (uint32_t k = 0; k < family->classes.count && !run->reducer->is_analysis; k++)
            finish_start_counter(run, f, k);
    }
}

static uint32_t *finish_ends(struct reduce_run *run)
{
    uint32_t *ends = memory_zeroed(run->elements.count + 1, sizeof *ends);
    for (uint32_t e = 0; e < run->elements.count; e++) {
        const struct element *element = &run->elements.items[e];
        ends[e] = run_settle_element(run, element);
        location_reach(run->reducer, element->family, ends[e]);
        location_note_passage(run, element, ends[e]);
        ++*run_offset(run, element->family, ends[e]);
    }
    return ends;
}

static enum reduce_go finish_rule(struct reduce_run *run, const uint32_t *ends, enum reduce_change *change)
{
    const struct reduction *reduction = run->reducer->reduction;
    bool shows = false;
    for (uint32_t f = 0; f < reduction->family_count; f++)
        for (uint32_t l = 0; l < run->offsets[f].count; l++)
            if (run->offsets[f].items[l]) {
                shows = true;
                finish_counter(run, f, l, run->offsets[f].items[l]);
            }
    for (uint32_t e = 0; e < run->elements.count; e++)
        if (ends[e] != run->elements.items[e].location)
            *change = shows && !run->has_moved ? CHANGE_SHOWN : CHANGE_EXCHANGE;
    return finish_exchange(run, change);
}

enum reduce_go finish_run(struct reduce_run *run, enum reduce_change *change)
{
    uint32_t *ends = finish_ends(run);
    *change = CHANGE_NONE;
    enum reduce_go go = run_check(run);
    if (go == GO_OK)
        go = finish_pointers(run, ends);
    if (go == GO_OK && run->mode == RUN_START)
        finish_start(run);
    else if (go == GO_OK)
        go = finish_rule(run, ends, change);
    free(ends);
    return go;
}
