#include "lang/promela/range.h"

const struct pml_range pml_range_truth = {0, 1};

struct pml_range pml_type_range(struct pml_type type)
{
    switch (type.base) {
    case PML_BIT:
    case PML_BOOL:
        return pml_range_truth;
    case PML_SHORT:
        return (struct pml_range){-32768, 32767};
    case PML_INT:
        return (struct pml_range){-2147483647 - (int64_t)1, 2147483647};
    case PML_UNSIGNED:
        return (struct pml_range){0, ((int64_t)1 << type.width) - 1};
    default:
        return (struct pml_range){0, 255};
    }
}

struct pml_range pml_range_join(struct pml_range a, struct pml_range b)
{
    if (a.hi < a.lo || b.hi < b.lo)
        return a.hi < a.lo ? b : a;
    return (struct pml_range){a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
}

/* Of an int, as C has it. */
static struct pml_range whole(void)
{
    return pml_type_range((struct pml_type){.base = PML_INT});
}

struct pml_range pml_range_of_int(struct pml_range range)
{
    return pml_range_covers(whole(), range) ? range : whole();
}

struct pml_range pml_range_of_long(const struct pml_expr *expr)
{
    const int64_t most = (int64_t)1 << 62;
    if (expr->kind == PML_UNARY && expr->op == PML_NEGATE && expr->left->kind == PML_NUMBER)
        return (struct pml_range){-expr->left->value, -expr->left->value};
    return (struct pml_range){-most, most};
}

static struct pml_range multiply(struct pml_range a, struct pml_range b)
{
    int64_t products[] = {a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi};
    struct pml_range range = {products[0], products[0]};
    for (int i = 1; i < 4; i++)
        range = pml_range_join(range, (struct pml_range){products[i], products[i]});
    return range;
}

/* The remainder has the sign of the dividend. */
static struct pml_range remainder_of(struct pml_range a, struct pml_range b)
{
    int64_t most = b.hi > -b.lo ? b.hi : -b.lo;
    int64_t bound = most > 0 ? most - 1 : 0;
    struct pml_range range = {a.lo < 0 ? -bound : 0, a.hi > 0 ? bound : 0};
    range.lo = a.lo < 0 && a.lo > range.lo ? a.lo : range.lo;
    range.hi = a.hi > 0 && a.hi < range.hi ? a.hi : range.hi;
    return range;
}

static struct pml_range quotient_of(struct pml_range a, struct pml_range b)
{
    int64_t most = a.hi > -a.lo ? a.hi : -a.lo;
    (void)b;
    return (struct pml_range){a.lo < 0 || b.lo < 0 ? -most : 0, most};
}

/* No more bits than the larger operand, if both are not negative. */
static struct pml_range bits_of(struct pml_range a, struct pml_range b)
{
    int64_t most = a.hi > b.hi ? a.hi : b.hi, bits = 1;
    if (a.lo < 0 || b.lo < 0)
        return whole();
    while (bits <= most)
        bits *= 2;
    return (struct pml_range){0, bits - 1};
}

struct pml_range pml_range_binary(enum pml_op op, struct pml_range a, struct pml_range b)
{
    switch (op) {
    case PML_ADD:
        return (struct pml_range){a.lo + b.lo, a.hi + b.hi};
    case PML_SUB:
        return (struct pml_range){a.lo - b.hi, a.hi - b.lo};
    case PML_MUL:
        return multiply(a, b);
    case PML_DIV:
        return quotient_of(a, b);
    case PML_MOD:
        return remainder_of(a, b);
    case PML_BIT_AND:
    case PML_BIT_OR:
    case PML_BIT_XOR:
        return bits_of(a, b);
    case PML_SHL:
        return whole();
    case PML_SHR:
        return a.lo < 0 ? whole() : (struct pml_range){0, a.hi};
    default:
        return pml_range_truth;
    }
}

struct pml_range pml_range_unary(enum pml_op op, struct pml_range a)
{
    if (op == PML_NOT)
        return pml_range_truth;
    if (op == PML_NEGATE)
        return (struct pml_range){-a.hi, -a.lo};
    return (struct pml_range){~a.hi, ~a.lo};
}
