#include "lang/prism/gterm.h"

#include <string.h>

#include "base/hash.h"
#include "lang/prism/fold.h"

struct exchange {
    uint32_t epoch;
    const struct gterm *result;
};

typedef VEC(const struct gterm *) gterm_list;

struct gterms {
    struct arena *arena;
    struct prism_values *values;
    const struct prism_network *network;
    gterm_list all;
    const struct gterm **table; /* open addressing */
    size_t size;
    VEC(struct exchange) exchanges; /* by id: what it becomes under the present exchange */
    uint32_t epoch, a, b;
};

struct gterms *gterms_create(struct prism_values *values, const struct prism_network *network)
{
    struct gterms *terms = memory_zeroed(1, sizeof *terms);
    terms->arena = values->arena;
    terms->values = values;
    terms->network = network;
    terms->size = 1 << 12;
    terms->table = memory_zeroed(terms->size, sizeof *terms->table);
    terms->a = terms->b = UINT32_MAX;
    return terms;
}

void gterms_destroy(struct gterms *terms)
{
    VEC_FREE(&terms->all);
    VEC_FREE(&terms->exchanges);
    free(terms->table);
    free(terms);
}

/* --- every term once --- */

static bool values_equal(const struct prism_value *a, const struct prism_value *b)
{
    if (!a || !b)
        return a == b;
    if (a->type != b->type || a->is_rounded != b->is_rounded)
        return false;
    return a->type == PRISM_TYPE_REAL ? !rational_compare(a->real, b->real) : a->integer == b->integer;
}

static uint64_t value_hash(const struct prism_value *value)
{
    if (value->type != PRISM_TYPE_REAL)
        return hash_combine(value->type, (uint64_t)value->integer);
    double nearest = rational_to_double(value->real);
    return hash_bytes(&nearest, sizeof nearest);
}

static uint64_t gterm_hash(const struct gterm *term)
{
    uint64_t hash = hash_combine(term->kind, term->counter);
    if (term->value)
        hash = hash_combine(hash, value_hash(term->value));
    if (term->variable)
        hash = hash_combine(hash, term->variable->number);
    if (term->kind == TERM_CALL)
        hash = hash_combine(hash, term->function);
    for (uint32_t i = 0; i < term->count; i++)
        hash = hash_combine(hash, term->parts[i]->id);
    return hash;
}

static bool gterms_equal(const struct gterm *a, const struct gterm *b)
{
    return a->hash == b->hash && a->kind == b->kind && a->variable == b->variable && a->counter == b->counter &&
           a->function == b->function && a->count == b->count && values_equal(a->value, b->value) &&
           (!a->count || !memcmp(a->parts, b->parts, a->count * sizeof *a->parts));
}

static void table_put(struct gterms *terms, const struct gterm *term)
{
    size_t at = term->hash & (terms->size - 1);
    while (terms->table[at])
        at = (at + 1) & (terms->size - 1);
    terms->table[at] = term;
}

static void table_grow(struct gterms *terms)
{
    free(terms->table);
    terms->size *= 2;
    terms->table = memory_zeroed(terms->size, sizeof *terms->table);
    for (size_t i = 0; i < terms->all.count; i++)
        table_put(terms, terms->all.items[i]);
}

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void collect_modules(struct gterms *terms, struct gterm *term)
{
    VEC(uint32_t) found = {0};
    if (term->variable && term->variable->module != PRISM_GLOBAL)
        VEC_PUSH(&found, term->variable->module);
    for (uint32_t i = 0; i < term->count; i++)
        for (uint32_t k = 0; k < term->parts[i]->module_count; k++)
            VEC_PUSH(&found, term->parts[i]->modules[k]);
    if (found.count)
        qsort(found.items, found.count, sizeof *found.items, compare_numbers);
    size_t kept = 0;
    for (size_t i = 0; i < found.count; i++)
        if (!kept || found.items[kept - 1] != found.items[i])
            found.items[kept++] = found.items[i];
    found.count = kept;
    term->module_count = (uint32_t)kept;
    term->modules = VEC_SEAL(&found, terms->arena);
}

static const struct gterm *intern(struct gterms *terms, struct gterm *term)
{
    term->hash = gterm_hash(term);
    for (size_t at = term->hash & (terms->size - 1); terms->table[at]; at = (at + 1) & (terms->size - 1))
        if (gterms_equal(terms->table[at], term))
            return terms->table[at];
    struct gterm *kept = arena_copy(terms->arena, term, sizeof *term);
    kept->id = (uint32_t)terms->all.count;
    kept->parts = arena_copy(terms->arena, term->parts, term->count * sizeof *term->parts);
    collect_modules(terms, kept);
    kept->has_counter = kept->kind == TERM_COUNTER;
    for (uint32_t i = 0; i < kept->count; i++)
        kept->has_counter |= kept->parts[i]->has_counter;
    VEC_PUSH(&terms->all, kept);
    if (2 * terms->all.count > terms->size)
        table_grow(terms);
    else
        table_put(terms, kept);
    return kept;
}

/* --- leaves --- */

const struct gterm *gterm_value(struct gterms *terms, const struct prism_value *value)
{
    return intern(terms, &(struct gterm){.kind = TERM_VALUE, .type = value->type, .value = value});
}

const struct gterm *gterm_int(struct gterms *terms, int64_t value)
{
    return gterm_value(terms, prism_value_int(terms->values, value));
}

const struct gterm *gterm_bool(struct gterms *terms, bool value)
{
    return gterm_value(terms, prism_value_bool(terms->values, value));
}

const struct gterm *gterm_variable(struct gterms *terms, const struct prism_variable *variable)
{
    return intern(terms, &(struct gterm){.kind = TERM_VARIABLE, .type = variable->type, .variable = variable});
}

const struct gterm *gterm_counter(struct gterms *terms, uint32_t counter)
{
    return intern(terms, &(struct gterm){.kind = TERM_COUNTER, .type = PRISM_TYPE_INT, .counter = counter});
}

bool gterm_is_number(const struct gterm *term, int64_t value)
{
    int64_t integer;
    if (term->kind != TERM_VALUE || term->type == PRISM_TYPE_BOOL)
        return false;
    return term->type == PRISM_TYPE_INT ? term->value->integer == value
                                        : rational_fits_i64(term->value->real, &integer) && integer == value;
}

/* --- operators with any number of parts --- */

static int compare_ids(const void *a, const void *b)
{
    uint32_t x = (*(const struct gterm *const *)a)->id, y = (*(const struct gterm *const *)b)->id;
    return (x > y) - (x < y);
}

static enum prism_operator operator_of(enum gterm_kind kind)
{
    return kind == TERM_AND ? PRISM_OP_AND : kind == TERM_OR ? PRISM_OP_OR : kind == TERM_ADD ? PRISM_OP_ADD : PRISM_OP_MUL;
}

/* NULL: the two have no value together (it does not fit). */
static const struct prism_value *fold_two(struct gterms *terms, enum gterm_kind kind, const struct prism_value *left,
                                          const struct prism_value *right)
{
    const char *reason;
    const struct prism_value *both[2] = {left, right};
    if (kind == TERM_MIN || kind == TERM_MAX)
        return prism_fold_call(terms->values, kind == TERM_MIN ? PRISM_MIN : PRISM_MAX, both, 2, &reason);
    return prism_fold_binary(terms->values, operator_of(kind), left, right, &reason);
}

/* All parts of parts of the same kind; constants together in *constant. */
static void flatten(struct gterms *terms, enum gterm_kind kind, const struct gterm *part, gterm_list *out,
                    const struct gterm **constant)
{
    if (part->kind == kind && kind != TERM_BAG) {
        for (uint32_t i = 0; i < part->count; i++)
            flatten(terms, kind, part->parts[i], out, constant);
        return;
    }
    const struct prism_value *both = NULL;
    if (kind == TERM_BAG || part->kind != TERM_VALUE)
        VEC_PUSH(out, part);
    else if (!*constant)
        *constant = part;
    else if ((both = fold_two(terms, kind, (*constant)->value, part->value)))
        *constant = gterm_value(terms, both);
    else
        VEC_PUSH(out, part);
}

static bool is_idempotent(enum gterm_kind kind)
{
    return kind == TERM_AND || kind == TERM_OR || kind == TERM_MIN || kind == TERM_MAX;
}

static bool is_neutral(enum gterm_kind kind, const struct gterm *constant)
{
    return (kind == TERM_AND && gterm_is(constant, true)) || (kind == TERM_OR && gterm_is(constant, false)) ||
           (kind == TERM_ADD && gterm_is_number(constant, 0)) || (kind == TERM_MUL && gterm_is_number(constant, 1));
}

static bool is_absorbing(enum gterm_kind kind, const struct gterm *constant)
{
    return (kind == TERM_AND && gterm_is(constant, false)) || (kind == TERM_OR && gterm_is(constant, true)) ||
           (kind == TERM_MUL && gterm_is_number(constant, 0));
}

static const struct gterm *neutral(struct gterms *terms, enum gterm_kind kind)
{
    return kind == TERM_AND || kind == TERM_OR ? gterm_bool(terms, kind == TERM_AND)
                                               : gterm_int(terms, kind == TERM_MUL);
}

static enum prism_type type_of_join(enum gterm_kind kind, const struct gterm *const *parts, size_t count)
{
    if (kind == TERM_BAG)
        return PRISM_TYPE_NONE;
    if (kind == TERM_AND || kind == TERM_OR)
        return PRISM_TYPE_BOOL;
    for (size_t i = 0; i < count; i++)
        if (parts[i]->type == PRISM_TYPE_REAL)
            return PRISM_TYPE_REAL;
    return PRISM_TYPE_INT;
}

static const struct gterm *join_sorted(struct gterms *terms, enum gterm_kind kind, gterm_list *flat)
{
    if (flat->count)
        qsort(flat->items, flat->count, sizeof *flat->items, compare_ids);
    size_t kept = 0;
    for (size_t i = 0; i < flat->count; i++)
        if (!kept || !is_idempotent(kind) || flat->items[kept - 1] != flat->items[i])
            flat->items[kept++] = flat->items[i];
    if (!kept && kind != TERM_BAG)
        return neutral(terms, kind);
    if (kept == 1 && kind != TERM_BAG)
        return flat->items[0];
    return intern(terms, &(struct gterm){.kind = kind, .type = type_of_join(kind, flat->items, kept),
                                        .parts = flat->items, .count = (uint32_t)kept});
}

const struct gterm *gterm_join(struct gterms *terms, enum gterm_kind kind, const struct gterm *const *parts, uint32_t count)
{
    gterm_list flat = {0};
    const struct gterm *constant = NULL;
    for (uint32_t i = 0; i < count; i++)
        flatten(terms, kind, parts[i], &flat, &constant);
    const struct gterm *result = constant && is_absorbing(kind, constant) ? constant : NULL;
    if (constant && !result && !is_neutral(kind, constant))
        VEC_PUSH(&flat, constant);
    if (!result)
        result = join_sorted(terms, kind, &flat);
    VEC_FREE(&flat);
    return result;
}

/* --- operators with a fixed number of parts --- */

static const struct gterm *fixed(struct gterms *terms, enum gterm_kind kind, enum prism_type type,
                                const struct gterm *const *parts, uint32_t count)
{
    return intern(terms, &(struct gterm){.kind = kind, .type = type, .parts = parts, .count = count});
}

static const struct gterm *not_join(struct gterms *terms, const struct gterm *term)
{
    const struct gterm **parts = memory_alloc(term->count * sizeof *parts);
    for (uint32_t i = 0; i < term->count; i++)
        parts[i] = gterm_not(terms, term->parts[i]);
    const struct gterm *result = gterm_join(terms, term->kind == TERM_AND ? TERM_OR : TERM_AND, parts, term->count);
    free(parts);
    return result;
}

const struct gterm *gterm_not(struct gterms *terms, const struct gterm *term)
{
    if (term->kind == TERM_VALUE)
        return gterm_bool(terms, !term->value->integer);
    if (term->kind == TERM_NOT)
        return term->parts[0];
    if (term->kind == TERM_LT || term->kind == TERM_LE)
        return gterm_pair(terms, term->kind == TERM_LT ? TERM_LE : TERM_LT, term->parts[1], term->parts[0]);
    if (term->kind == TERM_AND || term->kind == TERM_OR)
        return not_join(terms, term);
    return fixed(terms, TERM_NOT, PRISM_TYPE_BOOL, &term, 1);
}

static const struct gterm *fold_pair(struct gterms *terms, enum gterm_kind kind, const struct gterm *left,
                                    const struct gterm *right)
{
    const char *reason;
    enum prism_operator op = kind == TERM_EQ    ? PRISM_OP_EQ
                             : kind == TERM_LT  ? PRISM_OP_LT
                             : kind == TERM_LE  ? PRISM_OP_LE
                             : kind == TERM_DIV ? PRISM_OP_DIV
                                                : PRISM_OP_POW;
    const struct prism_value *value = prism_fold_binary(terms->values, op, left->value, right->value, &reason);
    return value ? gterm_value(terms, value) : NULL;
}

const struct gterm *gterm_pair(struct gterms *terms, enum gterm_kind kind, const struct gterm *left,
                             const struct gterm *right)
{
    const struct gterm *parts[2] = {left, right}, *folded = NULL;
    if (kind <= TERM_BAG)
        return gterm_join(terms, kind, parts, 2);
    if (gterm_is_value(left) && gterm_is_value(right))
        folded = fold_pair(terms, kind, left, right);
    if (folded)
        return folded;
    if (left == right && (kind == TERM_EQ || kind == TERM_LE || kind == TERM_LT))
        return gterm_bool(terms, kind != TERM_LT);
    if (kind == TERM_EQ && left->type == PRISM_TYPE_BOOL && (gterm_is_value(left) || gterm_is_value(right))) {
        const struct gterm *known = gterm_is_value(left) ? left : right, *other = known == left ? right : left;
        return known->value->integer ? other : gterm_not(terms, other);
    }
    if (kind == TERM_LE && left->kind == TERM_COUNTER && gterm_is_number(right, 0))
        kind = TERM_EQ;
    if (kind == TERM_EQ && left->id > right->id) {
        parts[0] = right;
        parts[1] = left;
    }
    enum prism_type type = kind == TERM_DIV   ? PRISM_TYPE_REAL
                           : kind == TERM_POW ? type_of_join(TERM_MUL, parts, 2)
                                              : PRISM_TYPE_BOOL;
    return fixed(terms, kind, type, parts, 2);
}

const struct gterm *gterm_cond(struct gterms *terms, const struct gterm *condition, const struct gterm *left,
                             const struct gterm *right)
{
    const struct gterm *parts[3] = {condition, left, right};
    if (gterm_is_value(condition))
        return condition->value->integer ? left : right;
    if (left == right)
        return left;
    return fixed(terms, TERM_COND, left->type > right->type ? left->type : right->type, parts, 3);
}

const struct gterm *gterm_call(struct gterms *terms, enum prism_function function, const struct gterm *const *parts,
                             uint32_t count)
{
    const struct prism_value *known[2];
    const char *reason;
    bool is_known = count <= 2;
    if (function == PRISM_MIN || function == PRISM_MAX)
        return gterm_join(terms, function == PRISM_MIN ? TERM_MIN : TERM_MAX, parts, count);
    if (function == PRISM_POW)
        return gterm_pair(terms, TERM_POW, parts[0], parts[1]);
    for (uint32_t i = 0; i < count && is_known; i++) {
        is_known = gterm_is_value(parts[i]);
        known[i] = parts[i]->value;
    }
    const struct prism_value *value = is_known ? prism_fold_call(terms->values, function, known, count, &reason) : NULL;
    if (value)
        return gterm_value(terms, value);
    return intern(terms, &(struct gterm){.kind = TERM_CALL,
                                        .type = function == PRISM_LOG ? PRISM_TYPE_REAL : PRISM_TYPE_INT,
                                        .function = function, .parts = parts, .count = count});
}

const struct gterm *gterm_tuple(struct gterms *terms, const struct gterm *const *parts, uint32_t count)
{
    return fixed(terms, TERM_TUPLE, PRISM_TYPE_NONE, parts, count);
}

const struct gterm *gterm_rebuild(struct gterms *terms, const struct gterm *term, const struct gterm *const *parts)
{
    switch (term->kind) {
    case TERM_VALUE:
    case TERM_VARIABLE:
    case TERM_COUNTER:
        return term;
    case TERM_NOT:
        return gterm_not(terms, parts[0]);
    case TERM_COND:
        return gterm_cond(terms, parts[0], parts[1], parts[2]);
    case TERM_CALL:
        return gterm_call(terms, term->function, parts, term->count);
    case TERM_TUPLE:
        return gterm_tuple(terms, parts, term->count);
    case TERM_EQ:
    case TERM_LT:
    case TERM_LE:
    case TERM_DIV:
    case TERM_POW:
        return gterm_pair(terms, term->kind, parts[0], parts[1]);
    default:
        return gterm_join(terms, term->kind, parts, term->count);
    }
}

/* --- exchanging two modules --- */

bool gterm_mentions(const struct gterm *term, uint32_t module)
{
    uint32_t from = 0, to = term->module_count;
    while (from < to) {
        uint32_t middle = (from + to) / 2;
        if (term->modules[middle] < module)
            from = middle + 1;
        else
            to = middle;
    }
    return from < term->module_count && term->modules[from] == module;
}

static const struct gterm *swap(struct gterms *terms, const struct gterm *term);

/* Many parts, of which few change: they need not be put in order again when the changed ones are the same together. */
static bool is_same_bag(const struct gterm *term, const struct gterm *const *parts)
{
    gterm_list before = {0}, after = {0};
    for (uint32_t i = 0; i < term->count; i++)
        if (parts[i] != term->parts[i]) {
            VEC_PUSH(&before, term->parts[i]);
            VEC_PUSH(&after, parts[i]);
        }
    if (after.count)
        qsort(after.items, after.count, sizeof *after.items, compare_ids);
    bool is_same = !after.count || !memcmp(before.items, after.items, after.count * sizeof *after.items);
    VEC_FREE(&before);
    VEC_FREE(&after);
    return is_same;
}

static const struct gterm *swap_parts(struct gterms *terms, const struct gterm *term)
{
    const struct gterm **parts = memory_alloc((term->count + 1) * sizeof *parts);
    for (uint32_t i = 0; i < term->count; i++)
        parts[i] = swap(terms, term->parts[i]);
    bool is_same = term->kind >= TERM_AND && term->kind <= TERM_EQ
                       ? is_same_bag(term, parts)
                       : !memcmp(parts, term->parts, term->count * sizeof *parts);
    const struct gterm *result = is_same ? term : gterm_rebuild(terms, term, parts);
    free(parts);
    return result;
}

static const struct gterm *swap_variable(struct gterms *terms, const struct gterm *term)
{
    const struct prism_variable *variable = term->variable;
    uint32_t other = variable->module == terms->a ? terms->b : terms->a;
    return gterm_variable(terms, terms->network->components[other].variables[variable->field]);
}

static const struct gterm *swap(struct gterms *terms, const struct gterm *term)
{
    if (!gterm_mentions(term, terms->a) && !gterm_mentions(term, terms->b))
        return term;
    while (terms->exchanges.count <= term->id)
        VEC_PUSH(&terms->exchanges, (struct exchange){0});
    if (terms->exchanges.items[term->id].epoch == terms->epoch)
        return terms->exchanges.items[term->id].result;
    const struct gterm *result =
        term->kind == TERM_VARIABLE ? swap_variable(terms, term) : swap_parts(terms, term);
    terms->exchanges.items[term->id] = (struct exchange){terms->epoch, result};
    return result;
}

const struct gterm *gterm_swap(struct gterms *terms, const struct gterm *term, uint32_t a, uint32_t b)
{
    if (a == b)
        return term;
    if (terms->a != a || terms->b != b) {
        terms->epoch++;
        terms->a = a;
        terms->b = b;
    }
    return swap(terms, term);
}
