/* Loops and quantifiers over a family: named elements one by one, then the crowd, one element for each location. */
#include "reduce/crowd.h"

/* The truth of a quantifier's body for the elements in one location, if there are any. */
struct crowd_part {
    uint32_t location;
    int32_t offset;
    bool is_certain; /* there are */
    struct reduce_value body;
};

/* What is done for one element. */
struct visitor {
    const struct variable *variable;
    const struct expr *body; /* a quantifier's; NULL: a loop */
    enum operator op;
    struct reduce_value result;
    VEC(struct crowd_part) parts; /* of the family that is visited */
    const struct block *block;    /* a loop's; NULL: cells are filled */
    uint32_t address;
    const struct type *type;
    bool is_cleared;
    struct moves moves;
    struct span span;
};

static enum reduce_go visit_quantifier(struct reduce_run *run, struct visitor *visitor, struct reduce_value element,
                                       struct reduce_value *body)
{
    eval_set_variable(run, visitor->variable, element);
    return eval_expr(run, visitor->body, body);
}

static enum reduce_go visit_loop(struct reduce_run *run, struct visitor *visitor, struct reduce_value element)
{
    if (visitor->block) {
        eval_set_variable(run, visitor->variable, element);
        enum reduce_go go = run_block(run, visitor->block);
        return go == GO_RETURN ? run_refuse(run, visitor->span, "a return from inside a loop over a scalarset") : go;
    }
    struct reduce_spot spot = {.type = visitor->type, .address = visitor->address, .element = element.number};
    return spot_fill(run, &spot, visitor->is_cleared, visitor->span);
}

static enum reduce_go visit_named(struct reduce_run *run, struct visitor *visitor, struct reduce_value element)
{
    struct reduce_value body;
    if (!visitor->body)
        return visit_loop(run, visitor, element);
    enum reduce_go go = visit_quantifier(run, visitor, element, &body);
    if (go == GO_OK)
        visitor->result = eval_join(run, visitor->op, visitor->result, body, true);
    return go;
}

/* Does it decide the quantifier, for all (false) or exists (true)? */
static bool quantifier_is_decided(enum operator op, struct reduce_value body)
{
    return body.kind == VALUE_KNOWN && (body.code != 0) == (op == OP_OR);
}

/* The truth of the body for a crowd: none there, or the body (for all); some there, and the body (exists). */
static struct reduce_value quantifier_truth(struct reduce_run *run, enum operator op, uint32_t family,
                                            const struct crowd_part *part)
{
    if (part->is_certain || (part->body.kind == VALUE_KNOWN && !quantifier_is_decided(op, part->body)))
        return part->body;
    struct expr *there = make_presence(run, family, part->location, part->offset);
    if (op == OP_OR)
        return eval_join(run, OP_AND, value_residual(there), part->body, false);
    return eval_join(run, OP_OR, value_residual(make_binary(run, OP_LE, there->left, there->right)), part->body, false);
}

/* The crowd is somewhere: where the body decides for every location, nothing is asked about the counters. */
static void quantifier_join(struct reduce_run *run, struct visitor *visitor, uint32_t family)
{
    bool is_decided = true;
    for (size_t i = 0; i < visitor->parts.count; i++)
        is_decided &= quantifier_is_decided(visitor->op, visitor->parts.items[i].body);
    for (size_t i = 0; i < visitor->parts.count; i++) {
        struct crowd_part *part = &visitor->parts.items[i];
        part->is_certain |= is_decided;
        visitor->result =
            eval_join(run, visitor->op, visitor->result, quantifier_truth(run, visitor->op, family, part), true);
    }
    VEC_CLEAR(&visitor->parts);
}

static enum reduce_go crowd_quantify(struct reduce_run *run, struct visitor *visitor, struct reduce_value element)
{
    struct crowd_part part;
    bool is_absent;
    struct reduce_iteration iteration = crowd_begin(run, &run->elements.items[element.number]);
    enum reduce_go go = visit_quantifier(run, visitor, element, &part.body);
    go = crowd_end(run, &iteration, go, true, visitor->span, &is_absent, &part.is_certain);
    if (go != GO_OK || is_absent)
        return go;
    part.location = iteration.location;
    part.offset = iteration.offset;
    VEC_PUSH(&visitor->parts, part);
    return GO_OK;
}

static enum reduce_go crowd_move(struct reduce_run *run, struct visitor *visitor, struct reduce_value element)
{
    bool is_absent, is_certain;
    struct reduce_iteration iteration = crowd_begin(run, &run->elements.items[element.number]);
    enum reduce_go go = visit_loop(run, visitor, element);
    go = crowd_end(run, &iteration, go, false, visitor->span, &is_absent, &is_certain);
    if (go != GO_OK || is_absent)
        return go;
    const struct element *one = &run->elements.items[element.number];
    struct move move = {one->family, one->location, run_settle_element(run, one)};
    if (run->mode != RUN_START)
        location_reach(run->reducer, move.family, move.to);
    go = run_check(run);
    if (go != GO_OK)
        return go;
    location_note_passage(run, one, move.to);
    if (move.from == move.to)
        return GO_OK;
    if (run->pure)
        return run_refuse(run, visitor->span, "a function that changes the state, called in an expression");
    if (run->crowd_depth)
        return run_refuse(run, visitor->span, "a loop in a loop over a scalarset that changes local states");
    VEC_PUSH(&visitor->moves, move);
    return GO_OK;
}

static enum reduce_go crowd_visit_family(struct reduce_run *run, uint32_t number, struct visitor *visitor)
{
    const struct reduce_family *family = &run->reducer->reduction->families[number];
    uint32_t named = 0;
    enum reduce_go go = GO_OK;
    for (uint32_t e = 0; e < run->elements.count && go == GO_OK; e++) {
        if (run->elements.items[e].family != number)
            continue;
        named++;
        go = visit_named(run, visitor, (struct reduce_value){.kind = VALUE_ELEMENT, .number = e, .family = number});
    }
    size_t count = run->mode == RUN_START ? run->offsets[number].count : family->classes.count;
    for (size_t k = 0; k < count && go == GO_OK && named < family->size; k++) {
        uint32_t location = run->mode == RUN_START ? (uint32_t)k : family->classes.items[k];
        if (run->mode == RUN_START && *run_offset(run, number, location) <= 0)
            continue;
        struct reduce_value element = {.kind = VALUE_ELEMENT, .family = number};
        element.number = run_add_element(run, number, location);
        run->elements.items[element.number].is_crowd = true;
        go = visitor->body ? crowd_quantify(run, visitor, element) : crowd_move(run, visitor, element);
        run_drop_element(run);
    }
    if (go == GO_OK && visitor->body)
        quantifier_join(run, visitor, number);
    return go;
}

static enum reduce_go crowd_visit(struct reduce_run *run, const struct type *type, struct visitor *visitor)
{
    const struct reduction *reduction = run->reducer->reduction;
    enum reduce_go go = ask_all_parameters(run);
    if (run->mode == RUN_RULE)
        run->reducer->looks_around[run->rule->id] = true;
    for (uint32_t i = 0; i < type->size && go == GO_OK; i++) {
        int32_t code = type_code(type, i);
        uint32_t family = families_of_code(reduction, code);
        if (family == NONE) {
            go = visit_named(run, visitor, value_known(code));
            continue;
        }
        go = crowd_visit_family(run, family, visitor);
        i += reduction->families[family].size - 1;
    }
    if (go == GO_OK && visitor->moves.count)
        go = moves_apply(run, &visitor->moves, visitor->span);
    VEC_FREE(&visitor->moves);
    VEC_FREE(&visitor->parts);
    return go;
}

enum reduce_go crowd_quantifier(struct reduce_run *run, const struct expr *expr, struct reduce_value *value)
{
    struct visitor visitor = {.variable = expr->variable, .body = expr->left, .span = expr->span};
    visitor.op = expr->op == OP_FORALL ? OP_AND : OP_OR;
    visitor.result = value_known(visitor.op == OP_AND);
    enum reduce_go go = crowd_visit(run, expr->domain.type, &visitor);
    *value = visitor.result;
    return go;
}

enum reduce_go crowd_loop(struct reduce_run *run, const struct stmt *stmt)
{
    struct visitor visitor = {.variable = stmt->variable, .block = &stmt->body, .span = stmt->span};
    return crowd_visit(run, stmt->domain.type, &visitor);
}

enum reduce_go crowd_fill(struct reduce_run *run, uint32_t family, uint32_t address, const struct type *type,
                          bool is_cleared, struct span span)
{
    struct visitor visitor = {.address = address, .type = type, .is_cleared = is_cleared, .span = span};
    return crowd_visit(run, run->reducer->reduction->families[family].type, &visitor);
}
