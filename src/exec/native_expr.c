/* Expressions. */
#include "exec/native_emit.h"
#include "exec/stepper.h"
#include "ir/arith.h"

static bool fits_32(int64_t low, int64_t high)
{
    return low > INT32_MIN && high <= INT32_MAX;
}

/* The bounds of a sum, difference or product; false: it may overflow 64 bits. */
static bool arithmetic_bounds(struct native_emitter *emitter, const struct expr *expr, int64_t *low, int64_t *high)
{
    int64_t ends[2][2], results[4];
    expr_bounds(&emitter->facts, expr->left, &ends[0][0], &ends[0][1]);
    expr_bounds(&emitter->facts, expr->right, &ends[1][0], &ends[1][1]);
    *low = INT64_MAX;
    *high = INT64_MIN;
    for (int i = 0; i < 4; i++) {
        if (arith_binary(expr->op, ends[0][i & 1], ends[1][i >> 1], &results[i]) != ARITH_OK)
            return false;
        *low = results[i] < *low ? results[i] : *low;
        *high = results[i] > *high ? results[i] : *high;
    }
    return true;
}

/* A quotient or remainder of C's own: no division by zero, no overflow. */
static bool division_is_safe(struct native_emitter *emitter, const struct expr *expr)
{
    int64_t low, high, least, greatest;
    expr_bounds(&emitter->facts, expr->left, &low, &high);
    expr_bounds(&emitter->facts, expr->right, &least, &greatest);
    return (least > 0 || greatest < -1) && fits_32(low, high) && fits_32(least, greatest);
}

static bool operator_is_safe(struct native_emitter *emitter, const struct expr *expr)
{
    int64_t low, high;
    switch (expr->op) {
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
        return arithmetic_bounds(emitter, expr, &low, &high);
    case OP_DIV:
    case OP_MOD:
        return division_is_safe(emitter, expr);
    case OP_SHL:
    case OP_SHR:
        return false;
    default:
        return true;
    }
}

static bool unary_is_safe(struct native_emitter *emitter, const struct expr *expr)
{
    int64_t low, high;
    expr_bounds(&emitter->facts, expr->left, &low, &high);
    return expr->op != OP_NEGATE || low > INT64_MIN;
}

bool expr_is_plain(struct native_emitter *emitter, const struct expr *expr)
{
    int64_t value;
    if (expr_static_value(&emitter->facts, expr, &value))
        return true;
    switch (expr->kind) {
    case EXPR_READ:
        return place_is_local(emitter, expr->place) &&
               (expr->raw || emit_facts(&emitter->facts, expr->place->variable)->is_sure);
    case EXPR_UNARY:
        return expr_is_plain(emitter, expr->left) && unary_is_safe(emitter, expr);
    case EXPR_BINARY:
        return expr_is_plain(emitter, expr->left) && expr_is_plain(emitter, expr->right) &&
               operator_is_safe(emitter, expr);
    case EXPR_COND:
        return expr_is_plain(emitter, expr->condition) && expr_is_plain(emitter, expr->left) &&
               expr_is_plain(emitter, expr->right);
    case EXPR_IS_MEMBER:
        return expr_is_plain(emitter, expr->left);
    default:
        return false;
    }
}

static void write_read(struct native_emitter *emitter, const struct expr *expr)
{
    const struct place *place = expr->place;
    bool is_sure = place->kind == PLACE_VARIABLE && !place->variable->is_global &&
                   emit_facts(&emitter->facts, place->variable)->is_sure;
    if (is_sure || expr->raw) {
        write_cell(emitter, place);
        return;
    }
    if (place_is_local(emitter, place)) {
        text_append(emitter->out, "DEFINED(");
        write_cell(emitter, place);
    } else {
        text_append(emitter->out, "READ(");
        write_address(emitter, place);
    }
    text_format(emitter->out, ", %u)", write_site(emitter, FAULT_UNDEFINED, place->span, NULL, NULL));
}

/* Of a comparison, or a truth value: without a check that is not needed. (An index is checked in any case: it must lead
 * nowhere else, whatever a state from a file is like.) */
static bool operand_is_definite(struct native_emitter *emitter, const struct expr *expr)
{
    return expr->kind == EXPR_READ && place_is_definite(emitter, expr->place);
}

static void write_operand(struct native_emitter *emitter, const struct expr *expr)
{
    if (operand_is_definite(emitter, expr))
        write_cell(emitter, expr->place);
    else
        write_expr(emitter, expr);
}

/* Neither faults, and nothing is called that could change it. */
static bool operand_is_plain(struct native_emitter *emitter, const struct expr *expr, const struct expr *other)
{
    return expr_is_plain(emitter, expr) ||
           (operand_is_definite(emitter, expr) && place_is_plain(emitter, expr->place) && other->kind == EXPR_READ &&
            !place_has_call(other->place));
}

static const char *operator_text(enum operator op)
{
    switch (op) {
    case OP_AND:
        return "&&";
    case OP_OR:
    case OP_IMPLIES:
        return "||";
    case OP_EQ:
        return "==";
    case OP_NE:
        return "!=";
    case OP_LT:
        return "<";
    case OP_LE:
        return "<=";
    case OP_GT:
        return ">";
    case OP_GE:
        return ">=";
    case OP_ADD:
        return "+";
    case OP_SUB:
        return "-";
    case OP_MUL:
        return "*";
    case OP_DIV:
        return "/";
    case OP_MOD:
        return "%";
    case OP_BIT_AND:
        return "&";
    case OP_BIT_OR:
        return "|";
    case OP_BIT_XOR:
        return "^";
    default:
        UNREACHABLE("operator without a text");
    }
}

/* A chain of the same operator needs no parentheses inside. */
static void write_logical(struct native_emitter *emitter, const struct expr *expr, bool is_inner)
{
    text_append(emitter->out, is_inner ? "" : "(");
    if (expr->op == OP_IMPLIES)
        text_append(emitter->out, "!");
    if (expr->left->kind == EXPR_BINARY && expr->left->op == expr->op && expr->op != OP_IMPLIES)
        write_logical(emitter, expr->left, true);
    else
        write_operand(emitter, expr->left);
    text_format(emitter->out, " %s ", operator_text(expr->op));
    write_operand(emitter, expr->right);
    text_append(emitter->out, is_inner ? "" : ")");
}

static void write_pair(struct native_emitter *emitter, const struct expr *expr, const char *between)
{
    write_expr(emitter, expr->left);
    text_append(emitter->out, between);
    write_expr(emitter, expr->right);
}

/* C's own operator. */
static void write_plain_operator(struct native_emitter *emitter, const struct expr *expr)
{
    const char *op = operator_text(expr->op);
    struct text between = {0};
    int64_t low, high;
    bool is_wide = (expr->op == OP_ADD || expr->op == OP_SUB || expr->op == OP_MUL) &&
                   arithmetic_bounds(emitter, expr, &low, &high) && !fits_32(low, high);
    if (!expr_is_plain(emitter, expr->left) && !expr_is_plain(emitter, expr->right)) {
        text_format(&between, ", %s, ", op);
        text_append(emitter->out, is_wide ? "ORDERED((int64_t)" : "ORDERED(");
    } else {
        text_format(&between, " %s ", op);
        text_append(emitter->out, is_wide ? "((int64_t)" : "(");
    }
    write_pair(emitter, expr, between.chars);
    text_append(emitter->out, ")");
    text_free(&between);
}

static void write_comparison(struct native_emitter *emitter, const struct expr *expr)
{
    bool is_free =
        operand_is_plain(emitter, expr->left, expr->right) || operand_is_plain(emitter, expr->right, expr->left);
    text_append(emitter->out, is_free ? "(" : "ORDERED(");
    write_operand(emitter, expr->left);
    text_format(emitter->out, is_free ? " %s " : ", %s, ", operator_text(expr->op));
    write_operand(emitter, expr->right);
    text_append(emitter->out, ")");
}

static void write_checked_operator(struct native_emitter *emitter, const struct expr *expr)
{
    const char *builtin = expr->op == OP_ADD ? "add" : expr->op == OP_SUB ? "sub" : expr->op == OP_MUL ? "mul" : NULL;
    uint32_t overflow = write_site(emitter, FAULT_OVERFLOW, expr->span, NULL, NULL);
    if (builtin) {
        text_format(emitter->out, "CHECKED(__builtin_%s_overflow, ", builtin);
        write_pair(emitter, expr, ", ");
        text_format(emitter->out, ", %u)", overflow);
        return;
    }
    uint32_t division = write_site(emitter, FAULT_DIVISION, expr->span, NULL, NULL);
    emitter->has_call = true;
    text_format(emitter->out, "ARITH(%d, ", (int)expr->op);
    write_pair(emitter, expr, ", ");
    text_format(emitter->out, ", %u, %u)", division, overflow);
}

static void write_unary(struct native_emitter *emitter, const struct expr *expr)
{
    if (expr->op == OP_NOT) {
        text_append(emitter->out, "!");
        write_operand(emitter, expr->left);
    } else if (expr->op == OP_BIT_NOT) {
        text_append(emitter->out, "~");
        write_expr(emitter, expr->left);
    } else if (unary_is_safe(emitter, expr)) {
        text_append(emitter->out, "(-(int64_t)");
        write_expr(emitter, expr->left);
        text_append(emitter->out, ")");
    } else {
        text_append(emitter->out, "CHECKED(__builtin_sub_overflow, 0, ");
        write_expr(emitter, expr->left);
        text_format(emitter->out, ", %u)", write_site(emitter, FAULT_OVERFLOW, expr->span, NULL, NULL));
    }
}

static void write_is_member(struct native_emitter *emitter, const struct expr *expr)
{
    int64_t low, high;
    if (type_interval(expr->member, &low, &high)) {
        text_append(emitter->out, "({ __auto_type value_ = ");
        write_expr(emitter, expr->left);
        text_format(emitter->out, "; value_ >= %lld && value_ <= %lld; })", (long long)low, (long long)high);
        return;
    }
    text_format(emitter->out, "(%s(", type_ordinal_helper(emitter, expr->member));
    write_expr(emitter, expr->left);
    text_append(emitter->out, ") >= 0)");
}

static void write_is_undefined(struct native_emitter *emitter, const struct expr *expr)
{
    if (place_is_definite(emitter, expr->place) && place_is_plain(emitter, expr->place)) {
        text_append(emitter->out, "0");
        return;
    }
    if (type_is_scalar(expr->place->type)) {
        text_append(emitter->out, "(");
        write_cell(emitter, expr->place);
        text_append(emitter->out, " == UNDEFINED");
        if (expr->is_implied)
            text_format(emitter->out, " && (run->covered[%zu] = true)", stepper_undefined(emitter->system));
        text_append(emitter->out, ")");
        return;
    }
    text_append(emitter->out, "any_undefined(m + (");
    write_address(emitter, expr->place);
    text_format(emitter->out, "), %u)", expr->place->type->cells);
}

/* The left value is taken before the right one is looked for. */
static void write_equal(struct native_emitter *emitter, const struct expr *expr)
{
    uint32_t cells = expr->place->type->cells;
    bool is_copied = place_has_call(expr->other);
    if (is_copied) {
        write_copy_limit(emitter, cells);
        text_format(emitter->out, "({ int32_t copy_[%u]; __builtin_memcpy(copy_, m + (", cells);
        write_address(emitter, expr->place);
        text_append(emitter->out, "), sizeof copy_); int right_ = ");
    } else {
        text_append(emitter->out, "({ int left_ = ");
        write_address(emitter, expr->place);
        text_append(emitter->out, "; int right_ = ");
    }
    write_address(emitter, expr->other);
    emitter->has_call = true;
    if (is_copied)
        text_append(emitter->out, "; __builtin_memcmp(copy_, m + right_, sizeof copy_) == 0; })");
    else
        text_format(emitter->out, "; SAME(left_, right_, %u); })", cells);
}

static void write_slot_taken(struct native_emitter *emitter, const struct expr *expr)
{
    const struct type *multiset = expr->place->type;
    text_append(emitter->out, "m[SLOT(");
    write_address(emitter, expr->place);
    text_append(emitter->out, ", ");
    write_expr(emitter, expr->left);
    text_format(emitter->out, ", %u, %u, %u)]", multiset->capacity, multiset_stride(multiset),
                write_site(emitter, FAULT_SLOT_FREE, expr->left->span, NULL, NULL));
}

static void write_binary(struct native_emitter *emitter, const struct expr *expr)
{
    if (expr->op == OP_AND || expr->op == OP_OR || expr->op == OP_IMPLIES)
        write_logical(emitter, expr, false);
    else if (expr->op >= OP_EQ && expr->op <= OP_GE)
        write_comparison(emitter, expr);
    else if (operator_is_safe(emitter, expr))
        write_plain_operator(emitter, expr);
    else
        write_checked_operator(emitter, expr);
}

static void write_cond(struct native_emitter *emitter, const struct expr *expr)
{
    text_append(emitter->out, "(");
    write_expr(emitter, expr->condition);
    text_append(emitter->out, " ? ");
    write_pair(emitter, expr, " : ");
    text_append(emitter->out, ")");
}

void write_expr(struct native_emitter *emitter, const struct expr *expr)
{
    int64_t value;
    if (expr_static_value(&emitter->facts, expr, &value)) {
        write_code(emitter, expr->type, value);
        return;
    }
    switch (expr->kind) {
    case EXPR_CONST:
        UNREACHABLE("a constant is static");
    case EXPR_READ:
        write_read(emitter, expr);
        return;
    case EXPR_UNARY:
        write_unary(emitter, expr);
        return;
    case EXPR_BINARY:
        write_binary(emitter, expr);
        return;
    case EXPR_COND:
        write_cond(emitter, expr);
        return;
    case EXPR_QUANTIFIER:
        write_quantifier(emitter, expr);
        return;
    case EXPR_IS_UNDEFINED:
        write_is_undefined(emitter, expr);
        return;
    case EXPR_IS_MEMBER:
        write_is_member(emitter, expr);
        return;
    case EXPR_CALL:
        write_call(emitter, expr);
        return;
    case EXPR_EQUAL:
        write_equal(emitter, expr);
        return;
    case EXPR_SLOT_TAKEN:
        write_slot_taken(emitter, expr);
        return;
    case EXPR_COUNT:
        write_count(emitter, expr);
        return;
    }
}
