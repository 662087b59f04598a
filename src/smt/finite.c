#include "smt/finite.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/watch.h"

enum { MOST_ENTRIES = 1u << 22, MOST_SYMBOL_BITS = 1u << 20, NUMBER_BITS = 6, MOST_DIGITS = 10 };

/* What is known of a formula, for the numbers that its variables have: a digit each, 0 for one that is not bound. */
struct finite_entry {
    uint64_t digits;
    term formula; /* 0: free */
    bit value;
};

struct finite {
    const struct fol_store *terms;
    const uint32_t *sizes; /* by sort */
    struct aig aig;
    struct solver *solver;
    struct cnf cnf;
    struct arena *arena;
    bit **exists;        /* by sort and number: there is that element */
    uint32_t *constants; /* by sort: so many were seen */
    bit **symbols;       /* by symbol: for each tuple of arguments its value: a bit, or those of an element */
    bit **variables;     /* by node: a variable that no quantifier binds */
    uint32_t *bound;     /* by node: a variable that one binds: its number + 1 */
    struct finite_entry *table;
    uint32_t capacity, count;
    bool is_over;
};

static bool is_over(struct finite *finite)
{
    finite->is_over |= watch_is_up();
    return finite->is_over;
}

/* -- Elements -- */

static void require(struct finite *finite, bit f)
{
    if (f == BIT_NONE)
        finite->is_over = true;
    else
        cnf_require(&finite->cnf, f);
}

static uint32_t width_of(const struct finite *finite, uint32_t sort)
{
    uint32_t width = 0;
    while ((finite->sizes[sort] - 1) >> width)
        width++;
    return width;
}

/* The element has this number. */
static bit is_number(struct finite *finite, const bit *bits, uint32_t width, uint32_t number)
{
    bit is = BIT_TRUE;
    for (uint32_t w = 0; w < width; w++)
        is = aig_and(&finite->aig, is, number >> w & 1 ? bits[w] : bit_not(bits[w]));
    return is;
}

/* An element that exists, with a number up to `most`. */
static void make_element(struct finite *finite, uint32_t sort, uint32_t most, bit *bits)
{
    uint32_t width = width_of(finite, sort);
    for (uint32_t w = 0; w < width; w++)
        bits[w] = most >> w ? aig_input(&finite->aig) : BIT_FALSE;
    for (uint32_t e = 0; e < 1u << width; e++) {
        bit is = is_number(finite, bits, width, e);
        bit may = e <= most && e < finite->sizes[sort] ? finite->exists[sort][e] : BIT_FALSE;
        require(finite, aig_or(&finite->aig, bit_not(is), may));
    }
}

static bit *new_constant(struct finite *finite, uint32_t sort)
{
    bit *bits = ARENA_ARRAY(finite->arena, bit, width_of(finite, sort) + 1);
    make_element(finite, sort, finite->constants[sort]++, bits);
    return bits;
}

/* The smaller numbers are those of elements that exist. */
static void make_existence(struct finite *finite, uint32_t sort)
{
    bit *exists = ARENA_ARRAY(finite->arena, bit, finite->sizes[sort]);
    for (uint32_t e = 0; e < finite->sizes[sort]; e++) {
        exists[e] = e ? aig_input(&finite->aig) : BIT_TRUE;
        if (e)
            require(finite, aig_or(&finite->aig, bit_not(exists[e]), exists[e - 1]));
    }
    finite->exists[sort] = exists;
}

/* -- Symbols -- */

static uint32_t symbol_width(const struct finite *finite, uint32_t symbol)
{
    uint32_t sort = finite->terms->symbols.items[symbol].sort;
    return sort == SORT_BOOLEAN ? 1 : width_of(finite, sort);
}

static bit *make_symbol(struct finite *finite, uint32_t symbol)
{
    const struct symbol_about *about = &finite->terms->symbols.items[symbol];
    uint64_t tuples = 1;
    uint32_t width = symbol_width(finite, symbol);
    for (uint32_t a = 0; a < about->count && tuples <= MOST_SYMBOL_BITS; a++)
        tuples *= finite->sizes[about->sorts[a]];
    if (tuples > MOST_SYMBOL_BITS / (width + 1)) {
        finite->is_over = true;
        return NULL;
    }
    if (about->sort != SORT_BOOLEAN && !about->count)
        return new_constant(finite, about->sort);
    bit *bits = ARENA_ARRAY(finite->arena, bit, tuples * width + 1);
    for (uint64_t i = 0; i < tuples; i++)
        if (about->sort == SORT_BOOLEAN)
            bits[i] = aig_input(&finite->aig);
        else
            make_element(finite, about->sort, finite->constants[about->sort]++, bits + i * width);
    return bits;
}

static const bit *symbol_bits(struct finite *finite, uint32_t symbol)
{
    if (!finite->symbols[symbol])
        finite->symbols[symbol] = make_symbol(finite, symbol);
    return finite->symbols[symbol];
}

/* -- What is known already -- */

/* False: there are too many variables, or it is a constant. */
static bool digits_of(const struct finite *finite, term t, uint64_t *digits)
{
    const struct term_frees *frees = &fol_at(finite->terms, t)->frees;
    *digits = 0;
    for (uint32_t i = 0; i < frees->count; i++)
        *digits = *digits << NUMBER_BITS | finite->bound[frees->items[i]];
    return frees->count <= MOST_DIGITS && t > TERM_TRUE;
}

static struct finite_entry *entry_at(const struct finite *finite, term t, uint64_t digits)
{
    uint64_t at = hash_combine(t, digits) & (finite->capacity - 1);
    while (finite->table[at].formula && (finite->table[at].formula != t || finite->table[at].digits != digits))
        at = (at + 1) & (finite->capacity - 1);
    return &finite->table[at];
}

static void table_grow(struct finite *finite)
{
    struct finite_entry *old = finite->table;
    uint32_t capacity = finite->capacity;
    finite->capacity = capacity ? 2 * capacity : 4096;
    finite->table = memory_zeroed(finite->capacity, sizeof *finite->table);
    for (uint32_t i = 0; i < capacity; i++)
        if (old[i].formula)
            *entry_at(finite, old[i].formula, old[i].digits) = old[i];
    free(old);
}

static void remember(struct finite *finite, term t, uint64_t digits, bit value)
{
    if (finite->count >= MOST_ENTRIES)
        return;
    if (2 * finite->count >= finite->capacity)
        table_grow(finite);
    *entry_at(finite, t, digits) = (struct finite_entry){digits, t, value};
    finite->count++;
}

/* -- Formulas -- */

static bit formula(struct finite *finite, term t);
static void element(struct finite *finite, term t, bit *bits);

/* A symbol is applied to arguments. */
struct application {
    const struct symbol_about *about;
    const bit *symbol;
    bit arguments[64][NUMBER_BITS];
    uint32_t width;
    bit *result;
};

/* Adds the values of all tuples that begin with what was chosen so far, which is the case where `when` is true. */
static void apply_from(struct finite *finite, const struct application *application, uint32_t a, uint64_t tuple,
                       bit when)
{
    if (a == application->about->count) {
        for (uint32_t w = 0; w < application->width; w++) {
            bit here = aig_and(&finite->aig, when, application->symbol[tuple * application->width + w]);
            application->result[w] = aig_or(&finite->aig, application->result[w], here);
        }
        return;
    }
    uint32_t sort = application->about->sorts[a], size = finite->sizes[sort], width = width_of(finite, sort);
    for (uint32_t e = 0; e < size; e++) {
        bit both = aig_and(&finite->aig, when, is_number(finite, application->arguments[a], width, e));
        if (both != BIT_FALSE)
            apply_from(finite, application, a + 1, tuple * size + e, both);
    }
}

static void apply(struct finite *finite, term t, bit *result)
{
    const struct fol_node *node = fol_at(finite->terms, t);
    struct application application = {.about = &finite->terms->symbols.items[node->symbol], .result = result};
    application.width = symbol_width(finite, node->symbol);
    application.symbol = symbol_bits(finite, node->symbol);
    for (uint32_t w = 0; w < application.width; w++)
        result[w] = BIT_FALSE;
    if (!application.symbol || node->count > 64) {
        finite->is_over = true;
        return;
    }
    for (uint32_t a = 0; a < node->count; a++)
        element(finite, node->parts[a], application.arguments[a]);
    apply_from(finite, &application, 0, 0, BIT_TRUE);
}

static void element_of_variable(struct finite *finite, term t, bit *bits)
{
    uint32_t sort = fol_at(finite->terms, t)->sort;
    if (!finite->bound[t] && !finite->variables[t])
        finite->variables[t] = new_constant(finite, sort);
    for (uint32_t w = 0; w < width_of(finite, sort); w++)
        bits[w] = finite->bound[t] ? ((finite->bound[t] - 1) >> w & 1 ? BIT_TRUE : BIT_FALSE) : finite->variables[t][w];
}

static void element(struct finite *finite, term t, bit *bits)
{
    const struct fol_node *node = fol_at(finite->terms, t);
    if (node->kind == TERM_VARIABLE) {
        element_of_variable(finite, t, bits);
    } else if (node->kind == TERM_APPLICATION) {
        apply(finite, t, bits);
    } else {
        ENSURE(node->kind == TERM_CHOICE);
        bit condition = formula(finite, node->parts[0]), other[NUMBER_BITS];
        element(finite, node->parts[1], bits);
        element(finite, node->parts[2], other);
        for (uint32_t w = 0; w < width_of(finite, node->sort); w++)
            bits[w] = aig_ite(&finite->aig, condition, bits[w], other[w]);
    }
}

static bit equality(struct finite *finite, const struct fol_node *node)
{
    uint32_t width = width_of(finite, fol_at(finite->terms, node->parts[0])->sort);
    bit a[NUMBER_BITS], b[NUMBER_BITS], same = BIT_TRUE;
    element(finite, node->parts[0], a);
    element(finite, node->parts[1], b);
    for (uint32_t w = 0; w < width; w++)
        same = aig_and(&finite->aig, same, bit_not(aig_xor(&finite->aig, a[w], b[w])));
    return same;
}

/* That some element has the property; one that is universal: none has its negation. */
static bit quantifier(struct finite *finite, const struct fol_node *node)
{
    bool is_universal = node->kind == TERM_UNIVERSAL;
    uint32_t sort = fol_at(finite->terms, node->parts[0])->sort;
    uint32_t before = finite->bound[node->parts[0]];
    bit some = BIT_FALSE;
    for (uint32_t e = 0; e < finite->sizes[sort] && some != BIT_TRUE && !is_over(finite); e++) {
        finite->bound[node->parts[0]] = e + 1;
        bit here = formula(finite, node->parts[1]);
        here = aig_and(&finite->aig, finite->exists[sort][e], is_universal ? bit_not(here) : here);
        some = aig_or(&finite->aig, some, here);
    }
    finite->bound[node->parts[0]] = before;
    return is_universal ? bit_not(some) : some;
}

static bit formula_of_node(struct finite *finite, term t)
{
    const struct fol_node *node = fol_at(finite->terms, t);
    bit left, right;
    switch (node->kind) {
    case TERM_CONSTANT:
        return t == TERM_TRUE ? BIT_TRUE : BIT_FALSE;
    case TERM_APPLICATION:
        apply(finite, t, &left);
        return left;
    case TERM_EQUALITY:
        return equality(finite, node);
    case TERM_NEGATION:
        return bit_not(formula(finite, node->parts[0]));
    case TERM_CONJUNCTION:
        left = formula(finite, node->parts[0]);
        right = left == BIT_FALSE ? BIT_FALSE : formula(finite, node->parts[1]);
        return aig_and(&finite->aig, left, right);
    case TERM_DISJUNCTION:
        left = formula(finite, node->parts[0]);
        right = left == BIT_TRUE ? BIT_TRUE : formula(finite, node->parts[1]);
        return aig_or(&finite->aig, left, right);
    case TERM_UNIVERSAL:
    case TERM_EXISTENTIAL:
        return quantifier(finite, node);
    case TERM_VARIABLE:
    case TERM_CHOICE:
        break;
    }
    UNREACHABLE("no formula");
}

static bit formula(struct finite *finite, term t)
{
    uint64_t digits;
    bool has_digits = digits_of(finite, t, &digits);
    if (finite->is_over)
        return BIT_NONE;
    if (has_digits && finite->capacity) {
        const struct finite_entry *entry = entry_at(finite, t, digits);
        if (entry->formula)
            return entry->value;
    }
    bit value = formula_of_node(finite, t);
    if (value == BIT_NONE)
        finite->is_over = true;
    else if (has_digits)
        remember(finite, t, digits, value);
    return value;
}

/* -- Questions -- */

struct finite *finite_open(const struct fol_store *terms, const uint32_t *sizes)
{
    struct finite *finite = memory_zeroed(1, sizeof *finite);
    finite->terms = terms;
    finite->sizes = sizes;
    finite->arena = arena_create();
    finite->solver = solver_create();
    aig_create(&finite->aig);
    cnf_open(&finite->cnf, &finite->aig, finite->solver);
    finite->exists = ARENA_ARRAY(finite->arena, bit *, terms->sorts.count + 1);
    finite->constants = ARENA_ARRAY(finite->arena, uint32_t, terms->sorts.count + 1);
    finite->symbols = ARENA_ARRAY(finite->arena, bit *, terms->symbols.count + 1);
    finite->variables = ARENA_ARRAY(finite->arena, bit *, terms->nodes.count + 1);
    finite->bound = ARENA_ARRAY(finite->arena, uint32_t, terms->nodes.count + 1);
    for (uint32_t s = 1; s < terms->sorts.count; s++) {
        ENSURE(sizes[s] && sizes[s] < 1u << NUMBER_BITS);
        make_existence(finite, s);
    }
    return finite;
}

void finite_close(struct finite *finite)
{
    cnf_close(&finite->cnf);
    aig_destroy(&finite->aig);
    solver_destroy(finite->solver);
    arena_destroy(finite->arena);
    free(finite->table);
    free(finite);
}

int finite_literal(struct finite *finite, term t)
{
    bit value = formula(finite, t);
    return finite->is_over ? 0 : cnf_literal(&finite->cnf, value);
}

enum smt_answer finite_ask(struct finite *finite, const int *literals, size_t count, uint32_t conflicts)
{
    for (size_t i = 0; i < count; i++) {
        if (!literals[i])
            return SMT_UNKNOWN;
        solver_assume(finite->solver, literals[i]);
    }
    if (is_over(finite))
        return SMT_UNKNOWN;
    enum solver_answer answer = solver_ask(finite->solver, conflicts);
    return answer == SOLVER_UNSATISFIABLE ? SMT_UNSATISFIABLE
           : answer == SOLVER_SATISFIABLE ? SMT_SATISFIABLE
                                          : SMT_UNKNOWN;
}

bool finite_failed(struct finite *finite, int literal)
{
    return solver_failed(finite->solver, literal);
}
