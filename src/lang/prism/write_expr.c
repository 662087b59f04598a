/* Expressions and numbers as PRISM text. */
#include <stdlib.h>
#include <string.h>

#include "ir/idiom.h"
#include "lang/prism/write.h"

enum { MOST_CHARACTERS = 1 << 24 }; /* of one text: what is shared is written wherever it stands */

static void open(struct prism_writer *writer, enum prism_binding own, enum prism_binding around)
{
    if (own < around)
        text_char(writer->out, '(');
}

static void close(struct prism_writer *writer, enum prism_binding own, enum prism_binding around)
{
    if (own < around)
        text_char(writer->out, ')');
}

/* --- numbers --- */

/* An integer has 32 bits. */
static const char *suffix_of(uint64_t size)
{
    return size > INT32_MAX ? ".0" : "";
}

/* PRISM's integers have 32 bits, so long fractions are written as decimals, if they end. */
static bool write_decimal(struct text *out, int64_t numerator, uint64_t denominator)
{
    uint32_t digits = 0;
    uint64_t scale = 1;
    while (scale % denominator && digits < 17) {
        scale *= 10;
        digits++;
    }
    int64_t scaled;
    if (scale % denominator || __builtin_mul_overflow(numerator, (int64_t)(scale / denominator), &scaled))
        return false;
    uint64_t size = scaled < 0 ? -(uint64_t)scaled : (uint64_t)scaled;
    text_format(out, "%s%llu", scaled < 0 ? "-" : "", (unsigned long long)(size / scale));
    if (digits)
        text_format(out, ".%0*llu", (int)digits, (unsigned long long)(size % scale));
    else
        text_append(out, suffix_of(size));
    return true;
}

/* "1e-18": what has more digits behind the point, if they end. */
static bool write_exponent(struct text *out, const struct rational *number)
{
    enum { MOST_SHIFTS = 400 };
    struct rational *scaled = rational_create(0, 1), *ten = rational_create(10, 1);
    uint32_t shifts = 0;
    rational_copy(scaled, number);
    char *digits = rational_digits(scaled);
    for (; strchr(digits, '/') && shifts < MOST_SHIFTS; shifts++) {
        rational_multiply(scaled, ten);
        free(digits);
        digits = rational_digits(scaled);
    }
    bool is_whole = !strchr(digits, '/');
    if (is_whole)
        text_format(out, "%se-%u", digits, shifts);
    free(digits);
    rational_destroy(scaled);
    rational_destroy(ten);
    return is_whole;
}

/* An integer has 32 bits, a real any number of digits. */
static void write_fraction(struct prism_writer *writer, const struct rational *number, enum prism_binding around)
{
    int64_t numerator;
    uint64_t denominator;
    bool is_small = rational_fits_fraction(number, &numerator, &denominator) && numerator <= INT32_MAX &&
                    numerator >= -INT32_MAX && denominator <= INT32_MAX;
    const char *suffix = is_small ? "" : ".0";
    char *digits = rational_digits(number), *bottom = strchr(digits, '/') + 1;
    open(writer, BIND_ADD, around);
    text_append_n(writer->out, digits, (size_t)(bottom - 1 - digits));
    text_format(writer->out, "%s/%s%s", suffix, bottom, suffix);
    close(writer, BIND_ADD, around);
    free(digits);
}

static void write_rational(struct prism_writer *writer, const struct rational *number, enum prism_binding around)
{
    int64_t numerator;
    uint64_t denominator;
    bool is_small = rational_fits_fraction(number, &numerator, &denominator);
    enum prism_binding own = rational_sign(number) < 0 ? BIND_ADD : BIND_ATOM;
    struct text decimal = {0};
    if ((is_small && write_decimal(&decimal, numerator, denominator)) || write_exponent(&decimal, number)) {
        open(writer, own, around);
        text_append(writer->out, text_chars(&decimal));
        close(writer, own, around);
    } else
        write_fraction(writer, number, around);
    text_free(&decimal);
}

static void write_const(struct prism_writer *writer, const struct expr *expr, enum prism_binding around)
{
    if (expr->type->kind == TYPE_BOOL) {
        text_append(writer->out, expr->value ? "true" : "false");
        return;
    }
    enum prism_binding own = expr->value < 0 ? BIND_ADD : BIND_ATOM;
    open(writer, own, around);
    uint64_t size = expr->value < 0 ? -(uint64_t)expr->value : (uint64_t)expr->value;
    text_format(writer->out, "%lld%s", (long long)expr->value, suffix_of(size));
    close(writer, own, around);
}

static bool is_number(const struct rational *number, int64_t value)
{
    int64_t integer;
    return rational_fits_i64(number, &integer) && integer == value;
}

bool prism_is_one(const struct weight *weight)
{
    return !weight || (!weight->top && !weight->bottom && !weight->is_rounded && is_number(weight->factor, 1));
}

/* factor * top / bottom */
void prism_write_weight(struct prism_writer *writer, const struct weight *weight, enum prism_binding around)
{
    if (weight->is_rounded)
        writer->why = "a logarithm or a root, which is known approximately only";
    if (writer->why)
        return;
    if (!weight->top && !weight->bottom) {
        write_rational(writer, weight->factor, around);
        return;
    }
    enum prism_binding own = rational_sign(weight->factor) < 0 ? BIND_ADD : BIND_MUL;
    bool is_unit = is_number(weight->factor, 1);
    open(writer, own, around);
    if (is_number(weight->factor, -1) && weight->top)
        text_char(writer->out, '-');
    else if (!is_unit || !weight->top) {
        write_rational(writer, weight->factor, BIND_MUL);
        text_append(writer->out, weight->top ? "*" : "");
    }
    if (weight->top)
        prism_write_expr(writer, weight->top, BIND_MUL);
    if (weight->bottom) {
        text_char(writer->out, '/');
        prism_write_expr(writer, weight->bottom, BIND_MUL + 1);
    }
    close(writer, own, around);
}

/* --- variables --- */

uint32_t prism_cell_of(const struct place *place)
{
    if (place->kind == PLACE_VARIABLE)
        return place->variable->address;
    ENSURE(place->kind == PLACE_ELEMENT && place->base->kind == PLACE_VARIABLE && place->index->kind == EXPR_CONST);
    return place->base->variable->address + (uint32_t)type_ordinal(place->base->type->index, place->index->value);
}

static void write_read(struct prism_writer *writer, const struct place *place, enum prism_binding around)
{
    uint32_t cell = prism_cell_of(place), first = writer->system->state_cells;
    if (cell < first)
        text_append(writer->out, writer->names[cell]);
    else if (writer->values[cell - first])
        prism_write_expr(writer, writer->values[cell - first], around);
    else
        text_append(writer->out, place->variable->name);
}

/* --- operators --- */

static void write_pair(struct prism_writer *writer, const struct expr *expr, const char *sign, enum prism_binding own,
                       enum prism_binding left, enum prism_binding around)
{
    open(writer, own, around);
    prism_write_expr(writer, expr->left, left);
    text_append(writer->out, sign);
    prism_write_expr(writer, expr->right, own + 1);
    close(writer, own, around);
}

static void write_binary(struct prism_writer *writer, const struct expr *expr, enum prism_binding around)
{
    static const struct {
        const char *sign;
        enum prism_binding own;
        bool is_chain; /* a op b op c is (a op b) op c */
    } signs[] = {[OP_AND] = {" & ", BIND_AND, true},
                 [OP_OR] = {" | ", BIND_OR, true},
                 [OP_IMPLIES] = {" => ", BIND_IMPLIES, false},
                 [OP_EQ] = {"=", BIND_EQUAL, false},
                 [OP_NE] = {"!=", BIND_EQUAL, false},
                 [OP_LT] = {"<", BIND_COMPARE, false},
                 [OP_LE] = {"<=", BIND_COMPARE, false},
                 [OP_GT] = {">", BIND_COMPARE, false},
                 [OP_GE] = {">=", BIND_COMPARE, false},
                 [OP_ADD] = {"+", BIND_ADD, true},
                 [OP_SUB] = {"-", BIND_ADD, true},
                 [OP_MUL] = {"*", BIND_MUL, true}};
    if (expr->op > OP_MUL) {
        writer->why = "a division towards zero";
        return;
    }
    enum prism_binding own = signs[expr->op].own;
    write_pair(writer, expr, signs[expr->op].sign, own, signs[expr->op].is_chain ? own : own + 1, around);
}

static void write_arguments(struct prism_writer *writer, const struct expr *expr, enum idiom idiom)
{
    struct expr *left, *right;
    if (idiom_of(expr, &left, &right) != idiom) {
        prism_write_expr(writer, expr, BIND_COND);
        return;
    }
    write_arguments(writer, left, idiom);
    text_append(writer->out, ", ");
    prism_write_expr(writer, right, BIND_COND);
}

static void write_idiom(struct prism_writer *writer, const struct expr *expr, enum idiom idiom, const struct expr *left,
                        const struct expr *right)
{
    static const char *const names[] = {
        [IDIOM_MIN] = "min(", [IDIOM_MAX] = "max(", [IDIOM_REMAINDER] = "mod(", [IDIOM_FLOOR] = "floor("};
    text_append(writer->out, names[idiom]);
    if (idiom == IDIOM_MIN || idiom == IDIOM_MAX)
        write_arguments(writer, expr, idiom);
    else {
        prism_write_expr(writer, left, idiom == IDIOM_FLOOR ? BIND_MUL : BIND_COND);
        text_append(writer->out, idiom == IDIOM_FLOOR ? "/" : ", ");
        prism_write_expr(writer, right, idiom == IDIOM_FLOOR ? BIND_ATOM : BIND_COND);
    }
    text_char(writer->out, ')');
}

static void write_cond(struct prism_writer *writer, const struct expr *expr, enum prism_binding around)
{
    struct expr *left, *right;
    enum idiom idiom = idiom_of(expr, &left, &right);
    if (idiom) {
        write_idiom(writer, expr, idiom, left, right);
        return;
    }
    open(writer, BIND_COND, around);
    prism_write_expr(writer, expr->condition, BIND_COND + 1);
    text_append(writer->out, " ? ");
    prism_write_expr(writer, expr->left, BIND_COND + 1);
    text_append(writer->out, " : ");
    prism_write_expr(writer, expr->right, BIND_COND + 1);
    close(writer, BIND_COND, around);
}

static void write_unary(struct prism_writer *writer, const struct expr *expr, enum prism_binding around)
{
    enum prism_binding own = expr->op == OP_NOT ? BIND_NOT : BIND_ADD;
    open(writer, own, around);
    text_char(writer->out, expr->op == OP_NOT ? '!' : '-');
    prism_write_expr(writer, expr->left, expr->op == OP_NOT ? BIND_ATOM : BIND_MUL);
    close(writer, own, around);
}

void prism_write_expr(struct prism_writer *writer, const struct expr *expr, enum prism_binding around)
{
    if (writer->out->length > MOST_CHARACTERS)
        writer->why = "an expression of more than 16 million characters";
    if (writer->why)
        return;
    switch (expr->kind) {
    case EXPR_CONST:
        write_const(writer, expr, around);
        return;
    case EXPR_READ:
        write_read(writer, expr->place, around);
        return;
    case EXPR_UNARY:
        write_unary(writer, expr, around);
        return;
    case EXPR_BINARY:
        write_binary(writer, expr, around);
        return;
    case EXPR_COND:
        write_cond(writer, expr, around);
        return;
    default:
        UNREACHABLE("an expression that PRISM has not");
    }
}
