/* Questions: which element a parameter is, whom a pointer holds; and when the answers hold in the reduced system. */
#include "reduce/inner.h"

static const struct span nowhere;

uint32_t ask_parameter_at(const struct reduce_run *run, uint32_t address)
{
    for (uint32_t p = 0; run->rule && p < run->rule->parameter_count; p++)
        if (run->rule->parameters[p].variable->address == address)
            return p;
    return NONE;
}

enum reduce_go ask_parameter(struct reduce_run *run, uint32_t parameter)
{
    const struct parameter *asked = &run->rule->parameters[parameter];
    if (run->asked[parameter])
        return GO_OK;
    if (!type_has_index(asked->type)) { /* it stays a parameter */
        run->parameters[parameter] = value_residual(make_read(run, make_mirror(run->reducer, asked->variable)));
        run->parameters[parameter].number = parameter;
        run->asked[parameter] = true;
        return GO_OK;
    }
    return run_ask(run, QUESTION_PARAMETER, parameter, 0);
}

enum reduce_go ask_all_parameters(struct reduce_run *run)
{
    enum reduce_go go = GO_OK;
    for (uint32_t p = 0; run->rule && p < run->rule->parameter_count && go == GO_OK; p++)
        go = ask_parameter(run, p);
    return go;
}

enum reduce_go ask_pointer(struct reduce_run *run, uint32_t pointer)
{
    enum reduce_go go = ask_all_parameters(run);
    if (go != GO_OK || run->is_decided[pointer])
        return go;
    return run_ask(run, QUESTION_POINTER, pointer, 0);
}

enum reduce_go ask_name(struct reduce_run *run, struct reduce_value *value)
{
    if (value->kind != VALUE_ELSEWHERE)
        return GO_OK;
    return run_ask(run, QUESTION_PLACE, value->number, 0);
}

enum reduce_go ask_constant(struct reduce_run *run, const struct type *type, int64_t code, struct span span,
                            struct reduce_value *value)
{
    const struct reduction *reduction = run->reducer->reduction;
    uint32_t family = code != UNDEFINED && type_has_index(type) ? families_of_code(reduction, code) : NONE;
    *value = value_known(code);
    if (family == NONE)
        return GO_OK;
    if (reduction->families[family].size > 1)
        return run_refuse(run, span, "an element of a scalarset that is named by its number");
    for (uint32_t e = 0; e < run->elements.count; e++)
        if (run->elements.items[e].family == family) {
            *value = (struct reduce_value){.kind = VALUE_ELEMENT, .number = e, .family = family};
            return GO_OK;
        }
    return run_ask(run, QUESTION_ONLY, family, 0);
}

static void ask_set_pointer(struct reduce_run *run, uint32_t pointer, struct reduce_value value)
{
    run->holds[pointer] = run->held[pointer] = value;
    run->is_decided[pointer] = true;
}

void ask_apply(struct reduce_run *run, const struct answer *answer)
{
    uint32_t subject = answer->question.subject;
    struct reduce_value value = answer->value;
    switch (answer->question.kind) {
    case QUESTION_PARAMETER:
        if (value.kind == VALUE_ELEMENT && value.number == NONE)
            value.number = run_add_element(run, value.family, answer->location);
        run->parameters[subject] = value;
        run->asked[subject] = true;
        return;
    case QUESTION_POINTER:
        ask_set_pointer(run, subject, value);
        run->parted[subject] = (uint32_t)run->elements.count;
        return;
    case QUESTION_PLACE:
        value = (struct reduce_value){.kind = VALUE_ELEMENT, .family = run->holds[subject].family};
        value.number = run_add_element(run, value.family, answer->location);
        ask_set_pointer(run, subject, value);
        return;
    case QUESTION_SAME:
        if (answer->yes)
            ask_set_pointer(run, subject,
                            (struct reduce_value){.kind = VALUE_ELEMENT,
                                                  .family = run->holds[subject].family,
                                                  .number = answer->question.other});
        else
            run->parted[subject] = answer->question.other + 1;
        return;
    case QUESTION_ONLY:
        run_add_element(run, subject, answer->location);
        return;
    }
}

enum reduce_go ask_complete(struct reduce_run *run)
{
    for (uint32_t p = 0; p < run->reducer->reduction->pointer_count; p++) {
        if (!run->is_decided[p] || run->holds[p].kind != VALUE_ELSEWHERE)
            continue;
        for (uint32_t e = run->parted[p]; e < run->elements.count; e++)
            if (run->elements.items[e].family == run->holds[p].family)
                return run_ask(run, QUESTION_SAME, p, e);
    }
    return GO_OK;
}

static uint32_t ask_named(const struct reduce_run *run, uint32_t family)
{
    uint32_t count = 0;
    for (size_t e = 0; e < run->elements.count; e++)
        count += !run->elements.items[e].is_crowd && run->elements.items[e].family == family;
    return count;
}

/* Counts options through: is it the one at *number? */
static bool ask_is_it(uint32_t *number)
{
    return (*number)-- == 0;
}

static bool ask_new_element(struct reduce_run *run, uint32_t family, uint32_t *number, struct answer *answer)
{
    const struct reduce_family *of = &run->reducer->reduction->families[family];
    answer->value = (struct reduce_value){.kind = VALUE_ELEMENT, .number = NONE, .family = family};
    if (ask_named(run, family) >= of->size)
        return false;
    if (run->mode == RUN_START) {
        answer->location = 0; /* the first one ever interned: before the start */
        return ask_is_it(number);
    }
    if (*number >= of->classes.count) {
        *number -= (uint32_t)of->classes.count;
        return false;
    }
    answer->location = of->classes.items[*number];
    return true;
}

/* The values of a type; of a pointer, those it may hold. */
static bool ask_value_option(struct reduce_run *run, const struct type *type, const struct pointer *pointer,
                             uint32_t number, struct answer *answer)
{
    const struct reduction *reduction = run->reducer->reduction;
    for (uint32_t e = 0; e < run->elements.count; e++) {
        uint32_t family = run->elements.items[e].family;
        if (run->elements.items[e].is_crowd || !type_has(type, reduction->families[family].code))
            continue;
        answer->value = (struct reduce_value){.kind = VALUE_ELEMENT, .number = e, .family = family};
        if (ask_is_it(&number))
            return true;
    }
    for (uint32_t f = 0; f < reduction->family_count; f++) {
        if (!type_has(type, reduction->families[f].code))
            continue;
        if (!pointer && ask_new_element(run, f, &number, answer))
            return true;
        if (!pointer || ask_named(run, f) >= reduction->families[f].size)
            continue;
        answer->value = (struct reduce_value){.kind = VALUE_ELSEWHERE, .number = answer->question.subject, .family = f};
        if (ask_is_it(&number))
            return true;
    }
    for (uint32_t i = 0; (!pointer || pointer->may_miss) && i < type->size; i++) {
        answer->value = value_known(type_code(type, i));
        if (families_of_code(reduction, answer->value.code) == NONE && ask_is_it(&number))
            return true;
    }
    answer->value = value_known(UNDEFINED);
    return pointer && pointer->may_be_undefined && ask_is_it(&number);
}

bool ask_option(struct reduce_run *run, struct reduce_question question, uint32_t number, struct answer *answer)
{
    const struct reduction *reduction = run->reducer->reduction;
    *answer = (struct answer){.question = question};
    switch (question.kind) {
    case QUESTION_PARAMETER:
        return ask_value_option(run, run->rule->parameters[question.subject].type, NULL, number, answer);
    case QUESTION_POINTER:
        return ask_value_option(run, reduction->pointers[question.subject].type, &reduction->pointers[question.subject],
                                number, answer);
    case QUESTION_PLACE: {
        const struct reduce_family *family = &reduction->families[run->holds[question.subject].family];
        if (number >= family->classes.count)
            return false;
        answer->location = family->classes.items[number];
        return true;
    }
    case QUESTION_SAME:
        answer->yes = number == 0;
        return number < 2;
    case QUESTION_ONLY:
        return ask_new_element(run, question.subject, &number, answer);
    }
    UNREACHABLE("question");
}

/* ---- the condition ---- */

static struct expr *ask_defined(struct reduce_run *run, const struct variable *variable)
{
    return expr_unary(run->out, OP_NOT, expr_is_undefined(run->out, make_place(run, variable), nowhere), nowhere);
}

static bool ask_may_be_undefined(const struct pointer *pointer, uint32_t family_count)
{
    uint32_t families = 0;
    for (uint32_t f = 0; f < family_count; f++)
        families += pointer->at[f] != NULL;
    return pointer->may_miss || families > 1;
}

/* What the answer about one pointer says of its location. */
static struct expr *ask_pointer_fact(struct reduce_run *run, uint32_t number)
{
    const struct reduction *reduction = run->reducer->reduction;
    const struct pointer *pointer = &reduction->pointers[number];
    const struct reduce_value *value = &run->holds[number];
    struct expr *fact = NULL;
    bool may_miss = ask_may_be_undefined(pointer, reduction->family_count);
    if (value->kind == VALUE_ELEMENT || value->kind == VALUE_ELSEWHERE) {
        const struct variable *at = pointer->at[value->family];
        if (may_miss)
            fact = ask_defined(run, at);
        if (value->kind == VALUE_ELSEWHERE)
            return fact;
        struct expr *where = make_location(run, value->family, run->elements.items[value->number].location);
        return make_and(run, fact, make_binary(run, OP_EQ, make_read(run, at), where));
    }
    if (value->code != UNDEFINED) {
        struct expr *code = expr_const(run->out, pointer->other->type, value->code, nowhere);
        return make_and(run, ask_defined(run, pointer->other),
                        make_binary(run, OP_EQ, make_read(run, pointer->other), code));
    }
    for (uint32_t f = 0; f < reduction->family_count; f++)
        if (pointer->at[f])
            fact = make_and(run, fact, expr_is_undefined(run->out, make_place(run, pointer->at[f]), nowhere));
    if (pointer->other)
        fact = make_and(run, fact, expr_is_undefined(run->out, make_place(run, pointer->other), nowhere));
    return fact;
}

/* What the answers say of two pointers: the same element or not. */
static struct expr *ask_pair_fact(struct reduce_run *run, uint32_t high, uint32_t low)
{
    const struct reduce_value *a = &run->holds[high], *b = &run->holds[low];
    const struct variable *same = run->reducer->reduction->pointers[high].same[low];
    bool has_two = (a->kind == VALUE_ELEMENT || a->kind == VALUE_ELSEWHERE) &&
                   (b->kind == VALUE_ELEMENT || b->kind == VALUE_ELSEWHERE);
    if (!same || !has_two || a->family != b->family || (a->kind == VALUE_ELSEWHERE && b->kind == VALUE_ELSEWHERE))
        return NULL;
    if (a->kind == VALUE_ELEMENT && b->kind == VALUE_ELEMENT && a->number != b->number &&
        run->elements.items[a->number].location != run->elements.items[b->number].location)
        return NULL; /* the locations tell */
    struct expr *fact = make_read(run, same);
    bool is_same = a->kind == b->kind && a->number == b->number;
    return is_same ? fact : expr_unary(run->out, OP_NOT, fact, nowhere);
}

static bool ask_is_held(const struct reduce_run *run, uint32_t element)
{
    for (uint32_t p = 0; p < run->reducer->reduction->pointer_count; p++)
        if (run->is_decided[p] && run->holds[p].kind == VALUE_ELEMENT && run->holds[p].number == element)
            return true;
    return false;
}

/* How many elements with a name are in the location, and how many of them no pointer holds. */
static uint32_t ask_count(const struct reduce_run *run, uint32_t family, uint32_t location, uint32_t *free_ones)
{
    uint32_t all = 0;
    *free_ones = 0;
    for (uint32_t e = 0; e < run->elements.count; e++) {
        const struct element *element = &run->elements.items[e];
        if (element->family != family || element->location != location)
            continue;
        all++;
        *free_ones += !ask_is_held(run, e);
    }
    return all;
}

static struct expr *ask_at_least(struct reduce_run *run, uint32_t family, uint32_t location, struct expr *number)
{
    return make_binary(run, OP_GE, make_count(run, family, location), number);
}

/* Room for the elements that pointers elsewhere may hold in this location: the paper's "d != A or n_A >= 2". */
static struct expr *ask_room(struct reduce_run *run, uint32_t family, uint32_t location, uint32_t named)
{
    const struct reduction *reduction = run->reducer->reduction;
    struct expr *needed = make_number(run, named), *one = NULL;
    uint32_t count = 0;
    for (uint32_t p = 0; p < reduction->pointer_count; p++) {
        if (!run->is_decided[p] || run->holds[p].kind != VALUE_ELSEWHERE || run->holds[p].family != family)
            continue;
        struct expr *at = make_read(run, reduction->pointers[p].at[family]);
        struct expr *is_here = make_binary(run, OP_EQ, at, make_location(run, family, location));
        one = make_binary(run, OP_OR, make_binary(run, OP_NE, at, make_location(run, family, location)),
                          ask_at_least(run, family, location, make_number(run, named + 1)));
        for (uint32_t q = 0; q < p; q++)
            if (run->is_decided[q] && run->holds[q].kind == VALUE_ELSEWHERE && run->holds[q].family == family)
                is_here =
                    make_and(run, is_here,
                             expr_unary(run->out, OP_NOT, make_read(run, reduction->pointers[p].same[q]), nowhere));
        needed = make_binary(run, OP_ADD, needed,
                             expr_cond(run->out, is_here, make_number(run, 1), make_number(run, 0), nowhere));
        count++;
    }
    return count == 0 ? NULL : count == 1 ? one : ask_at_least(run, family, location, needed);
}

struct expr *ask_condition(struct reduce_run *run)
{
    const struct reduction *reduction = run->reducer->reduction;
    struct expr *counts = NULL, *facts = NULL, *rooms = NULL;
    if (run->mode == RUN_START || run->reducer->is_analysis)
        return NULL;
    for (uint32_t e = 0; e < run->elements.count; e++) {
        const struct element *element = &run->elements.items[e];
        uint32_t free_ones, before, family = element->family, location = element->location;
        uint32_t all = ask_count(run, family, location, &free_ones);
        for (before = 0; before < e; before++)
            if (run->elements.items[before].family == family && run->elements.items[before].location == location)
                break;
        if (before < e || !free_ones)
            continue;
        struct expr *enough = all == 1 ? make_binary(run, OP_GT, make_count(run, family, location), make_number(run, 0))
                                       : ask_at_least(run, family, location, make_number(run, all));
        counts = make_and(run, counts, enough);
        rooms = make_and(run, rooms, ask_room(run, family, location, all));
    }
    for (uint32_t p = 0; p < reduction->pointer_count; p++) {
        if (!run->is_decided[p])
            continue;
        facts = make_and(run, facts, ask_pointer_fact(run, p));
        for (uint32_t q = 0; q < p; q++)
            if (run->is_decided[q])
                facts = make_and(run, facts, ask_pair_fact(run, p, q));
    }
    return make_and(run, counts, make_and(run, facts, rooms));
}
