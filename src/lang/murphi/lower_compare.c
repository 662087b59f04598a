/* Comparisons, and what they mean for undefined values.
 *
 * In CMurphi a scalarset or union that is undefined differs from every element and is equal to another one that is
 * undefined; rumur stops. The first is written out with isundefined(), so that whatever evaluates the IR agrees; the
 * test is `implied`, by which exec/evaluate.h notes where it mattered. Enums, ranges and booleans are read: an error in
 * both tools. */
#include "lang/murphi/lower.h"

static bool undefined_is_error(const struct lower *lower)
{
    const struct manner *manner = &lower->reading->manner;
    return manner->undefined_is_error || manner->dialect == DIALECT_RUMUR;
}

bool value_is_tolerated(const struct lower *lower, const struct murphi_value *value)
{
    bool has_elements = value->type->kind == TYPE_INDEX || value->type->kind == TYPE_UNION;
    return !undefined_is_error(lower) && has_elements && value->place && value->place->kind != PLACE_CALL &&
           !value->slot_of && !value_is_sure(value);
}

/* Not where a call in it changes something, since it is evaluated twice. */
static bool is_tolerated(const struct lower *lower, const struct murphi_value *value,
                         const struct progress_mark *before)
{
    return lower->done.effects == before->effects && value_is_tolerated(lower, value);
}

enum { MOST_TESTS = 1000 };

/* The tests inside the operands multiply, comparison in index in comparison. */
static bool count_tests(struct lower *lower, const struct progress_mark *before, struct span span)
{
    uint64_t inside = lower->done.tests - before->tests;
    lower->done.tests += 2 * inside + 2;
    if (inside <= MOST_TESTS)
        return true;
    if (report_error(lower->diagnostics, span, "comparisons are nested too deeply in indices"))
        diag_hint(lower->diagnostics, "give the indices names: alias i: ... do");
    return false;
}

enum tolerance { TOLERATED_DIFFERENT, TOLERATED_EQUAL, TOLERATED_NO_MEMBER };

/* What follows from an undefined value in the two tools. rumur has no unions. */
static const char *outcome_text(enum tolerance tolerance, const struct type *type)
{
    static const char *const texts[][2] = {
        [TOLERATED_DIFFERENT] = {"the two differ in CMurphi, an error in rumur", "the two differ in CMurphi"},
        [TOLERATED_EQUAL] = {"both are undefined, so equal in CMurphi, an error in rumur",
                             "both are undefined, so equal in CMurphi"},
        [TOLERATED_NO_MEMBER] = {"it is no member in CMurphi, an error in rumur", "it is no member in CMurphi"},
    };
    return texts[tolerance][type->kind == TYPE_UNION];
}

static struct expr *is_undefined(struct lower *lower, const struct murphi_value *value, enum tolerance tolerance,
                                 struct span span)
{
    struct expr *test = expr_is_undefined(lower->system, value->place, span);
    test->is_implied = true;
    test->outcome = outcome_text(tolerance, value->type);
    return test;
}

static struct expr *operand_read(struct lower *lower, const struct murphi_value *value, struct span span)
{
    return value_read(lower, value, value->place ? value->place->span : span);
}

static struct expr *negated(struct lower *lower, struct expr *expr)
{
    return expr_unary(lower->system, OP_NOT, expr, expr->span);
}

/* Only `tested` may be undefined: then they differ. The other one is evaluated for its errors. */
static struct expr *compare_one(struct lower *lower, enum operator op, const struct murphi_value *tested,
                                const struct murphi_value *other, struct expr *comparison)
{
    struct span span = comparison->span;
    struct expr *test = is_undefined(lower, tested, TOLERATED_DIFFERENT, span);
    if (value_is_sure(other))
        return op == OP_EQ ? expr_binary(lower->system, OP_AND, negated(lower, test), comparison, span)
                           : expr_binary(lower->system, OP_OR, test, comparison, span);
    struct expr *always = expr_is_member(lower->system, operand_read(lower, other, span), other->type, span);
    return expr_cond(lower->system, test, op == OP_EQ ? negated(lower, always) : always, comparison, span);
}

/* Both may be: equal when both are. */
static struct expr *compare_two(struct lower *lower, enum operator op, const struct murphi_value *left,
                                const struct murphi_value *right, struct expr *comparison)
{
    struct span span = comparison->span;
    struct expr *first = is_undefined(lower, left, TOLERATED_DIFFERENT, span);
    struct expr *both = is_undefined(lower, right, TOLERATED_EQUAL, span);
    struct expr *second = is_undefined(lower, right, TOLERATED_DIFFERENT, span);
    if (op == OP_EQ)
        return expr_cond(lower->system, first, both,
                         expr_binary(lower->system, OP_AND, negated(lower, second), comparison, span), span);
    return expr_cond(lower->system, first, negated(lower, both),
                     expr_binary(lower->system, OP_OR, second, comparison, span), span);
}

struct expr *compare_scalars(struct lower *lower, enum operator op, const struct murphi_value *left,
                             const struct murphi_value *right, const struct progress_mark *before, struct span span)
{
    struct expr *a = operand_read(lower, left, span), *b = operand_read(lower, right, span);
    struct expr *comparison = expr_binary(lower->system, op, a, b, span);
    bool is_left = is_tolerated(lower, left, before), is_right = is_tolerated(lower, right, before);
    if ((is_left || is_right) && !count_tests(lower, before, span))
        return NULL;
    if (is_left && is_right)
        return compare_two(lower, op, left, right, comparison);
    if (is_left)
        return compare_one(lower, op, left, right, comparison);
    return is_right ? compare_one(lower, op, right, left, comparison) : comparison;
}

static void report_incomparable(struct lower *lower, const struct ast_expr *ast, const struct murphi_value *left,
                                const struct murphi_value *right)
{
    const struct type *scalarset =
        type_scalarset_in(left->type) ? type_scalarset_in(left->type) : type_scalarset_in(right->type);
    bool has_integer = type_is_integer(left->type) || type_is_integer(right->type);
    if (report_error(lower->diagnostics, ast->span, "cannot compare %s with %s", type_text(lower, left->type),
                     type_text(lower, right->type)) &&
        scalarset && has_integer)
        diag_hint(lower->diagnostics, "the elements of a scalarset have no numbers");
}

static struct murphi_value compare_aggregates(struct lower *lower, const struct ast_expr *ast,
                                              struct murphi_value *left, struct murphi_value *right)
{
    if (type_has_multiset(left->type)) {
        report_error(lower->diagnostics, ast->span, "multisets cannot be compared");
        return (struct murphi_value){0};
    }
    keep_call_result(lower, left, ast->right);
    keep_call_result(lower, right, ast->left);
    struct expr *equal = expr_equal(lower->system, left->place, right->place, ast->span);
    return value_from(ast->op == OP_EQ ? equal : expr_unary(lower->system, OP_NOT, equal, ast->span));
}

struct murphi_value lower_equality(struct lower *lower, const struct ast_expr *ast)
{
    struct progress_mark before = lower->done;
    struct murphi_value left = lower_value(lower, ast->left), right = lower_value(lower, ast->right);
    if (!left.ok || !right.ok)
        return (struct murphi_value){0};
    if (left.slot_of && left.slot_of == right.slot_of)
        left.slot_of = right.slot_of = NULL; /* slots of the same multiset can be told apart */
    bool is_aggregate =
        left.type && right.type && !type_is_scalar(left.type) && types_compatible(left.type, right.type);
    const char *what = operand_of(lower, ast->op);
    if (!is_aggregate && !left.is_undefined && !right.is_undefined && !types_compatible(left.type, right.type)) {
        report_incomparable(lower, ast, &left, &right);
        return (struct murphi_value){0};
    }
    if (is_aggregate)
        return compare_aggregates(lower, ast, &left, &right);
    if (!check_scalar(lower, &left, ast->left->span, what) || !check_scalar(lower, &right, ast->right->span, what))
        return (struct murphi_value){0};
    return value_from(compare_scalars(lower, ast->op, &left, &right, &before, ast->span));
}

/* The enum that declares all of these labels and no others, or NULL. */
static const struct type *find_enum(const struct lower *lower, const struct ast_names *labels)
{
    const struct type *type = NULL;
    for (size_t i = 0; i < labels->count; i++) {
        const struct symbol *symbol = scope_find(&lower->scope, labels->items[i].text);
        bool is_label = symbol && symbol->kind == SYMBOL_VALUE && symbol->value->kind == EXPR_CONST &&
                        symbol->value->type->kind == TYPE_ENUM && symbol->value->type->size == labels->count &&
                        symbol->value->value == type_code(symbol->value->type, (uint32_t)i);
        if (!is_label || (type && type != symbol->value->type))
            return NULL;
        type = symbol->value->type;
    }
    return type;
}

/* An enum without a name is the one with these labels: nothing is declared here. */
static const struct type *lower_asked_type(struct lower *lower, const struct ast_type *ast)
{
    const struct type *type = ast->kind == AST_TYPE_ENUM ? find_enum(lower, &ast->labels) : NULL;
    for (size_t i = 0; type && i < ast->labels.count; i++)
        note_use(lower, scope_find(&lower->scope, ast->labels.items[i].text), ast->labels.items[i].span);
    return type ? type : lower_type(lower, ast, NULL);
}

struct murphi_value lower_is_member(struct lower *lower, const struct ast_expr *ast)
{
    struct progress_mark before = lower->done;
    struct murphi_value value = lower_value(lower, ast->left);
    const struct type *type = lower_asked_type(lower, ast->type);
    if (!value.ok || !check_scalar(lower, &value, ast->left->span, "the first argument of ismember") || !type)
        return (struct murphi_value){0};
    if (!types_compatible(value.type, type)) {
        report_error(lower->diagnostics, ast->span, "%s can never be a member of %s", type_text(lower, value.type),
                     type_text(lower, type));
        return (struct murphi_value){0};
    }
    struct expr *member = expr_is_member(lower->system, operand_read(lower, &value, ast->left->span), type, ast->span);
    if (!is_tolerated(lower, &value, &before))
        return value_from(member);
    if (!count_tests(lower, &before, ast->span))
        return (struct murphi_value){0};
    struct expr *is_defined = negated(lower, is_undefined(lower, &value, TOLERATED_NO_MEMBER, ast->span));
    return value_from(expr_binary(lower->system, OP_AND, is_defined, member, ast->span));
}
