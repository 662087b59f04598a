/* Aggregates: filled, copied, compared. */
#include "reduce/inner.h"

typedef enum reduce_go (*spot_visit)(struct reduce_run *run, struct reduce_spot *a, struct reduce_spot *b, void *user,
                                     struct span span);

/* The parts of a place that is no scalar, and the same parts of another one (or NULL). */
static enum reduce_go spot_each(struct reduce_run *run, const struct reduce_spot *a, const struct reduce_spot *b,
                                spot_visit visit, void *user, struct span span)
{
    enum reduce_go go = GO_OK;
    uint32_t count = a->type->kind == TYPE_RECORD ? a->type->field_count : a->type->index->size;
    for (uint32_t i = 0; i < count && go == GO_OK; i++) {
        struct reduce_spot left = *a, right = b ? *b : *a;
        if (a->type->kind == TYPE_RECORD) {
            spot_step_field(run, &left, &a->type->fields[i], span);
            if (b)
                spot_step_field(run, &right, &b->type->fields[i], span);
        } else {
            struct reduce_value index = value_known(type_code(a->type->index, i));
            go = spot_step_index(run, &left, index, span);
            if (b && go == GO_OK)
                go = spot_step_index(run, &right, index, span);
        }
        if (go == GO_OK)
            go = visit(run, &left, b ? &right : NULL, user, span);
    }
    return go;
}

static bool spot_is_over_family(const struct reduce_spot *spot)
{
    return !spot->residual && spot->type->kind == TYPE_ARRAY && type_has_index(spot->type->index);
}

static enum reduce_go fill_visit(struct reduce_run *run, struct reduce_spot *spot, struct reduce_spot *other,
                                 void *user, struct span span)
{
    (void)other;
    return spot_fill(run, spot, *(bool *)user, span);
}

/* An array over a family, for all its elements at once. */
static enum reduce_go spot_fill_family(struct reduce_run *run, const struct reduce_spot *spot, bool is_cleared,
                                       struct span span)
{
    const struct reduction *reduction = run->reducer->reduction;
    const struct type *array = spot->type;
    enum reduce_go go = GO_OK;
    if (spot->address >= run->reducer->system->state_cells || spot->element != NONE)
        return run_refuse(run, span, "a local array over a scalarset");
    for (uint32_t i = 0; i < array->index->size && go == GO_OK; i++) {
        int32_t code = type_code(array->index, i);
        uint32_t family = families_of_code(reduction, code);
        if (family == NONE) {
            struct reduce_spot part = *spot;
            go = spot_step_index(run, &part, value_known(code), span);
            if (go == GO_OK)
                go = spot_fill(run, &part, is_cleared, span);
            continue;
        }
        go = crowd_fill(run, family, spot->address + i * array->element->cells, array->element, is_cleared, span);
        i += reduction->families[family].size - 1;
    }
    return go;
}

enum reduce_go spot_fill(struct reduce_run *run, const struct reduce_spot *spot, bool is_cleared, struct span span)
{
    if (spot->residual) {
        struct stmt *stmt = stmt_new(run->out, is_cleared ? STMT_CLEAR : STMT_UNDEFINE, span);
        stmt->place = spot->residual;
        return run_emit(run, stmt);
    }
    if (type_has_multiset(spot->type))
        return run_refuse(run, span, "multisets");
    if (type_is_scalar(spot->type)) {
        struct reduce_value value;
        enum reduce_go go =
            ask_constant(run, spot->type, is_cleared ? type_code(spot->type, 0) : UNDEFINED, span, &value);
        return go == GO_OK ? spot_write(run, spot, value, span) : go;
    }
    if (spot_is_over_family(spot))
        return spot_fill_family(run, spot, is_cleared, span);
    return spot_each(run, spot, NULL, fill_visit, &is_cleared, span);
}

static enum reduce_go copy_visit(struct reduce_run *run, struct reduce_spot *to, struct reduce_spot *from, void *user,
                                 struct span span)
{
    (void)user;
    return spot_copy(run, to, from, span);
}

enum reduce_go spot_copy(struct reduce_run *run, const struct reduce_spot *to, const struct reduce_spot *from,
                         struct span span)
{
    if (type_is_scalar(to->type)) {
        struct reduce_value value;
        enum reduce_go go = spot_read(run, from, true, span, &value);
        return go == GO_OK ? spot_write(run, to, value, span) : go;
    }
    if (to->residual && from->residual) {
        struct stmt *stmt = stmt_new(run->out, STMT_COPY, span);
        stmt->place = to->residual;
        stmt->source = from->residual;
        return run_emit(run, stmt);
    }
    if (spot_is_over_family(to) || spot_is_over_family(from) || type_has_multiset(to->type))
        return run_refuse(run, span, "a copy of a whole array over a scalarset, or of a multiset");
    struct reduce_spot kept = *to; /* its parts are written one by one */
    touch_keep(run, &kept);
    return spot_each(run, &kept, from, copy_visit, NULL, span);
}

/* Two scalars, undefined equal to undefined. */
static enum reduce_go equal_scalar(struct reduce_run *run, struct reduce_spot *a, struct reduce_spot *b,
                                   struct span span, struct reduce_value *result)
{
    struct reduce_value left, right;
    enum reduce_go go = spot_read(run, a, true, span, &left);
    if (go == GO_OK)
        go = spot_read(run, b, true, span, &right);
    if (go == GO_OK)
        go = value_force(run, &left, a->type, span, "value out of range");
    if (go == GO_OK)
        go = value_force(run, &right, b->type, span, "value out of range");
    return go == GO_OK ? value_equal(run, left, right, a->type, span, result) : go;
}

static enum reduce_go equal_visit(struct reduce_run *run, struct reduce_spot *a, struct reduce_spot *b, void *user,
                                  struct span span)
{
    struct reduce_value *all = user, part;
    enum reduce_go go = spot_equal(run, a, b, span, &part);
    if (go != GO_OK)
        return go;
    *all = value_of(make_binary(run, OP_AND, value_expr(run, all, run->reducer->system->boolean, span),
                                value_expr(run, &part, run->reducer->system->boolean, span)));
    return GO_OK;
}

enum reduce_go spot_equal(struct reduce_run *run, const struct reduce_spot *a, const struct reduce_spot *b,
                          struct span span, struct reduce_value *value)
{
    struct reduce_spot left = *a, right = *b;
    if (type_is_scalar(a->type))
        return equal_scalar(run, &left, &right, span, value);
    if (a->residual && b->residual) {
        *value = value_residual(expr_equal(run->out, a->residual, b->residual, span));
        return GO_OK;
    }
    if (spot_is_over_family(a) || spot_is_over_family(b))
        return run_refuse(run, span, "a comparison of whole arrays over a scalarset");
    *value = value_known(1);
    return spot_each(run, a, b, equal_visit, value, span);
}

static enum reduce_go undefined_visit(struct reduce_run *run, struct reduce_spot *spot, struct reduce_spot *other,
                                      void *user, struct span span)
{
    struct reduce_value *any = user, part;
    (void)other;
    enum reduce_go go = spot_is_undefined(run, spot, span, &part);
    if (go != GO_OK)
        return go;
    *any = value_of(make_binary(run, OP_OR, value_expr(run, any, run->reducer->system->boolean, span),
                                value_expr(run, &part, run->reducer->system->boolean, span)));
    return GO_OK;
}

enum reduce_go spot_is_undefined(struct reduce_run *run, const struct reduce_spot *spot, struct span span,
                                 struct reduce_value *value)
{
    if (spot->residual) {
        *value = value_residual(expr_is_undefined(run->out, spot->residual, span));
        return GO_OK;
    }
    if (!type_is_scalar(spot->type)) {
        if (spot_is_over_family(spot))
            return run_refuse(run, span, "isundefined of a whole array over a scalarset");
        *value = value_known(0);
        return spot_each(run, spot, NULL, undefined_visit, value, span);
    }
    struct reduce_value read;
    enum reduce_go go = spot_read(run, spot, true, span, &read);
    if (go != GO_OK)
        return go;
    if (read.kind == VALUE_RESIDUAL && read.expr->kind == EXPR_READ && read.expr->raw)
        *value = value_residual(expr_is_undefined(run->out, read.expr->place, span));
    else
        *value = value_known(read.kind == VALUE_KNOWN && read.code == UNDEFINED);
    return GO_OK;
}
