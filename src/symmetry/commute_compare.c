/* What two orders lead to, and the words for a difference. */
#include "base/text.h"
#include "symmetry/commuting.h"

enum { COMPARE_WORK = 200000, COMPARE_MOST_WORDS = 8 };

static const struct variable *compare_variable(const struct commuting *c, uint32_t address)
{
    const struct system *system = c->effects->symmetry->system;
    bool is_global = address < system->state_cells;
    for (size_t v = 0; v < (is_global ? system->globals.count : system->scratch.count); v++) {
        const struct variable *variable = is_global ? system->globals.items[v] : system->scratch.items[v];
        uint32_t cells = variable->is_reference ? 1 : variable->type->cells;
        if (address >= variable->address && address - variable->address < cells)
            return variable;
    }
    UNREACHABLE("an address of no variable");
}

/* --- words --- */

static void compare_print_value(const struct commuting *c, const struct held *held, const struct type *type,
                                const int64_t *values, struct text *out)
{
    int64_t number = held->kind == HELD_UNKNOWN ? values[held->unknown] : held->number.constant;
    bool is_defined = held->kind == HELD_NUMBER ||
                      (held->kind == HELD_UNKNOWN && c->origins.items[held->unknown].definedness != DEFINED_NOT);
    for (uint32_t t = 0; held->kind == HELD_NUMBER && t < held->number.count; t++)
        number += held->number.terms[t].factor * values[held->number.terms[t].unknown];
    type_print_value(type, is_defined ? (int32_t)number : UNDEFINED, out);
}

static void compare_print_cell(const struct commuting *c, uint32_t address, struct text *out)
{
    const struct variable *variable = compare_variable(c, address);
    variable_cell_name(variable, address - variable->address, out);
}

/* "x[P_1] = 3, m = 0": the cells on which it depends. */
static void compare_print_state(const struct commuting *c, const int64_t *values, struct text *out)
{
    uint32_t count = 0;
    for (uint32_t u = 0; u < c->origins.count && count < COMPARE_MOST_WORDS; u++) {
        const struct origin *origin = &c->origins.items[u];
        struct held held = {.kind = HELD_UNKNOWN, .unknown = u};
        if (!origin->type || origin->name)
            continue;
        text_append(out, count++ ? ", " : "");
        compare_print_cell(c, origin->address, out);
        text_append(out, " = ");
        compare_print_value(c, &held, origin->type, values, out);
    }
}

static void compare_print_order(const struct commuting *c, int number, struct text *out)
{
    type_print_value(c->owner, c->pair[number], out);
    text_append(out, " before ");
    type_print_value(c->owner, c->pair[1 - number], out);
}

static const char *end_words(enum path_end end)
{
    return end == PATH_FAULT      ? "fails"
           : end == PATH_RETURNED ? "returns early"
           : end == PATH_OK       ? "ends"
                                  : "is left out";
}

/* What the order leads to: how it ends, or what it leaves in the cell. */
static void compare_print_result(const struct commuting *c, int number, const struct commuting_cell *cell,
                                 const struct held *held, const int64_t *values, struct text *out)
{
    compare_print_order(c, number, out);
    if (!cell) {
        text_format(out, " %s", end_words(c->orders[number].end));
        return;
    }
    text_append(out, " gives ");
    compare_print_cell(c, cell->address, out);
    text_append(out, " = ");
    compare_print_value(c, held, cell->type, values, out);
}

/* Are the values those of states? Facts know nothing of what lies between the codes of a union's members. */
static bool compare_is_state(const struct commuting *c, const int64_t *values)
{
    for (uint32_t u = 0; u < c->origins.count; u++)
        if (c->origins.items[u].type && !type_has(c->origins.items[u].type, values[u]))
            return false;
    return true;
}

/* Both orders were taken as far as they go: is there a state in which this happens? */
static enum commute_answer compare_refute(struct commuting *c, const struct commuting_cell *cell,
                                          const struct held *held, const char **words)
{
    int64_t *values = memory_zeroed(c->facts.unknowns.count + 1, sizeof *values);
    uint64_t work = COMPARE_WORK;
    enum facts_answer answer = facts_solve(&c->facts, values, &work);
    c->facts.work += COMPARE_WORK - work;
    if (answer == FACTS_POSSIBLE && !compare_is_state(c, values))
        answer = FACTS_UNDECIDED;
    if (answer == FACTS_POSSIBLE && (c->counts.count || c->slots.count)) { /* that no multiset may have */
        free(values);
        commuting_stuck(c, c->slots.count ? "it looks into a multiset" : "it counts elements of a multiset");
        return COMMUTE_OPEN;
    }
    if (answer == FACTS_POSSIBLE) {
        struct text out = {0};
        size_t before;
        text_append(&out, "where ");
        before = out.length;
        compare_print_state(c, values, &out);
        text_append(&out, out.length > before ? ", " : "anything holds, ");
        compare_print_result(c, 0, cell, held, values, &out);
        text_append(&out, " and ");
        compare_print_result(c, 1, cell, held ? held + 1 : NULL, values, &out);
        *words = arena_string(c->effects->arena, text_chars(&out));
        text_free(&out);
    }
    free(values);
    if (answer == FACTS_UNDECIDED)
        commuting_stuck(c, "there are too many cases");
    return answer == FACTS_POSSIBLE ? COMMUTE_REFUTED : answer == FACTS_IMPOSSIBLE ? COMMUTE_PROVED : COMMUTE_OPEN;
}

/* --- cells --- */

/* Is it so that values of the two can differ? The fact that they do is added while that is asked. */
static enum commute_answer compare_numbers(struct commuting *c, const struct held *held,
                                           const struct commuting_cell *cell, const char **words)
{
    struct linear_sum difference = held[0].number;
    if (!linear_add(&difference, &held[1].number, -1)) {
        commuting_stuck(c, "a sum is too large");
        return COMMUTE_OPEN;
    }
    if (!difference.count && !difference.constant)
        return COMMUTE_PROVED;
    size_t before = c->facts.list.count;
    enum commute_answer answer = COMMUTE_PROVED;
    for (int sign = -1; sign <= 1 && answer == COMMUTE_PROVED; sign += 2) { /* difference <= -1, or >= 1 */
        struct linear_sum sum = sign < 0 ? difference : linear_negate(difference);
        sum.constant++;
        if (facts_add(&c->facts, FACT_AT_MOST, sum))
            answer = compare_refute(c, cell, held, words);
        c->facts.list.count = before;
    }
    return answer;
}

static enum commute_answer compare_held(struct commuting *c, struct held *held, const struct commuting_cell *cell,
                                        const char **words)
{
    bool is_same = held[0].kind == HELD_UNKNOWN && held[1].kind == HELD_UNKNOWN && held[0].unknown == held[1].unknown;
    if (is_same)
        return COMMUTE_PROVED;
    commuting_resolve(c, &held[0]);
    commuting_resolve(c, &held[1]);
    if (held[0].kind != held[1].kind)
        return compare_refute(c, cell, held, words);
    return held[0].kind == HELD_UNDEFINED ? COMMUTE_PROVED : compare_numbers(c, held, cell, words);
}

/* A local variable that no iteration reads before it writes it: what the last one leaves there may differ. */
static bool compare_is_private(struct commuting *c, uint32_t address)
{
    const struct variable *variable = compare_variable(c, address);
    if (variable->is_global)
        return false;
    if (variable->is_reference || variable == c->loop->variable)
        return true;
    uint32_t unit = effects_unit(c->effects, variable, address - variable->address);
    if (!proof_is_private(c, unit))
        return false;
    VEC_PUSH(&c->stale, unit);
    return true;
}

static struct held compare_final(struct commuting *c, int number, const struct commuting_cell *cell)
{
    c->now = &c->orders[number];
    return commuting_load(c, cell->address, cell->type);
}

static enum commute_answer compare_cell(struct commuting *c, const struct commuting_cell *cell, const char **words)
{
    const char *found = NULL;
    if (cell->address == c->loop->variable->address)
        return COMMUTE_PROVED;
    struct held held[2] = {compare_final(c, 0, cell), compare_final(c, 1, cell)};
    enum commute_answer answer = compare_held(c, held, cell, &found);
    if (answer != COMMUTE_PROVED && compare_is_private(c, cell->address))
        return COMMUTE_PROVED;
    *words = found;
    return answer;
}

/* --- multisets --- */

static bool insertions_agree(const struct commuting *c, const struct insertion *a, const struct insertion *b)
{
    bool agree = a->multiset == b->multiset && a->cells == b->cells;
    for (size_t i = 0; agree && i < a->cells; i++) {
        struct held left = c->orders[0].taken.items[a->first + i], right = c->orders[1].taken.items[b->first + i];
        struct linear_sum difference = left.number;
        agree = left.kind == right.kind;
        if (agree && left.kind == HELD_UNKNOWN)
            agree = left.unknown == right.unknown;
        if (agree && left.kind == HELD_NUMBER)
            agree = linear_add(&difference, &right.number, -1) && !difference.count && !difference.constant;
    }
    return agree;
}

/* The same elements, in any order: as terms, so "no" may be wrong. */
static enum commute_answer compare_insertions(struct commuting *c)
{
    size_t count = c->orders[0].insertions.count, matched = 0;
    bool *is_taken = memory_zeroed(count + 1, sizeof *is_taken);
    for (size_t a = 0; a < count && c->orders[1].insertions.count == count; a++)
        for (size_t b = 0; b < count; b++)
            if (!is_taken[b] &&
                insertions_agree(c, &c->orders[0].insertions.items[a], &c->orders[1].insertions.items[b])) {
                is_taken[b] = true;
                matched++;
                break;
            }
    free(is_taken);
    if (matched == count && c->orders[1].insertions.count == count)
        return COMMUTE_PROVED;
    commuting_stuck(c, "the orders may add different elements to a multiset");
    return COMMUTE_OPEN;
}

enum commute_answer commuting_compare(struct commuting *c, const char **words)
{
    enum path_end end = c->orders[0].end;
    enum commute_answer answer = COMMUTE_PROVED;
    if (c->has_written_slot) {
        commuting_stuck(c, "it changes an element of a multiset");
        return COMMUTE_OPEN;
    }
    if (end != c->orders[1].end)
        return compare_refute(c, NULL, NULL, words);
    if (end == PATH_FAULT || end == PATH_DISCARDED)
        return COMMUTE_PROVED;
    for (int number = 0; number < 2; number++)
        for (size_t i = 0; answer == COMMUTE_PROVED && i < c->orders[number].written.count; i++)
            answer = compare_cell(c, &c->orders[number].written.items[i], words);
    return answer == COMMUTE_PROVED ? compare_insertions(c) : answer;
}
