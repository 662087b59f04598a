#include "symmetry/commute.h"

#include "symmetry/commuting.h"

enum path_end commuting_stuck(struct commuting *c, const char *why)
{
    c->stuck = why;
    return PATH_STUCK;
}

/* One of `count` ways: which this run takes. */
static uint32_t commuting_choose(struct commuting *c, uint32_t count)
{
    struct decision first = {0, count};
    if (c->decided == c->decisions.count)
        VEC_PUSH(&c->decisions, first);
    return c->decisions.items[c->decided++].choice;
}

/* The sum is zero on this way. */
static enum path_end commuting_equal(struct commuting *c, struct linear_sum sum)
{
    return facts_add_equal(&c->facts, sum) ? PATH_OK : PATH_IMPOSSIBLE;
}

/* One of two ways, of which the first is left out at once where the facts exclude it. */
static enum path_end commuting_fork(struct commuting *c,
                                    bool (*add)(struct facts *facts, struct linear_sum sum, bool holds),
                                    struct linear_sum sum, bool *holds)
{
    bool is_new = c->decided == c->decisions.count;
    *holds = commuting_choose(c, 2) == 0;
    size_t before = c->facts.list.count;
    if (add(&c->facts, sum, *holds))
        return PATH_OK;
    if (!is_new)
        return PATH_IMPOSSIBLE;
    c->facts.list.count = before;
    VEC_LAST(&c->decisions).choice = 1;
    *holds = false;
    return add(&c->facts, sum, false) ? PATH_OK : PATH_IMPOSSIBLE;
}

static bool add_at_most(struct facts *facts, struct linear_sum sum, bool holds)
{
    if (!holds) { /* sum >= 1 */
        sum = linear_negate(sum);
        sum.constant++;
    }
    return facts_add(facts, FACT_AT_MOST, sum);
}

static bool add_zero(struct facts *facts, struct linear_sum sum, bool holds)
{
    return holds ? facts_add_equal(facts, sum) : facts_add(facts, FACT_NOT, sum);
}

enum path_end commuting_is_at_most(struct commuting *c, struct linear_sum sum, bool *holds)
{
    int64_t lo, hi;
    facts_range(&c->facts, &sum, &lo, &hi);
    *holds = hi <= 0;
    return hi <= 0 || lo > 0 ? PATH_OK : commuting_fork(c, add_at_most, sum, holds);
}

enum path_end commuting_is_zero(struct commuting *c, struct linear_sum sum, bool *holds)
{
    int64_t lo, hi;
    facts_range(&c->facts, &sum, &lo, &hi);
    *holds = lo == 0 && hi == 0;
    return *holds || lo > 0 || hi < 0 ? PATH_OK : commuting_fork(c, add_zero, sum, holds);
}

/* The position of an element among those exchanged; others have none. */
static int64_t commuting_element(const struct commuting *c, int64_t code)
{
    return type_ordinal(c->owner, code);
}

enum { COMMUTING_MOST_VALUES = 64 };

/* An unknown gets a value. Of elements that this run has not named any stands for all. */
static enum path_end commuting_settle_unknown(struct commuting *c, uint32_t unknown)
{
    const struct type *type = c->origins.items[unknown].type;
    uint32_t count = 0, choice;
    if (!type || type->size > COMMUTING_MOST_VALUES)
        return commuting_stuck(c, "an index or operand has too many values");
    for (uint32_t o = 0; o < type->size; o++)
        count += commuting_element(c, type_code(type, o)) <= (int64_t)c->mentioned;
    choice = commuting_choose(c, count);
    for (uint32_t o = 0; o < type->size; o++) {
        int32_t code = type_code(type, o);
        int64_t element = commuting_element(c, code);
        if (element > (int64_t)c->mentioned || choice--)
            continue;
        c->mentioned += element == (int64_t)c->mentioned;
        struct linear_sum difference = linear_unknown(unknown);
        difference.constant = -(int64_t)code;
        c->facts.unknowns.items[unknown] = (struct unknown_bounds){code, code};
        return commuting_equal(c, difference);
    }
    UNREACHABLE("a choice that was not offered");
}

enum path_end commuting_settle(struct commuting *c, struct linear_sum number, int64_t *value)
{
    enum path_end end = PATH_OK;
    int64_t hi;
    for (uint32_t t = 0; end == PATH_OK && t < number.count; t++) {
        const struct unknown_bounds *bounds = &c->facts.unknowns.items[number.terms[t].unknown];
        if (bounds->lo < bounds->hi)
            end = commuting_settle_unknown(c, number.terms[t].unknown);
    }
    facts_range(&c->facts, &number, value, &hi);
    return end;
}

enum path_end commuting_resolve(struct commuting *c, struct held *held)
{
    if (held->kind != HELD_UNKNOWN)
        return PATH_OK;
    struct origin *origin = &c->origins.items[held->unknown];
    if (origin->definedness == DEFINED_PERHAPS)
        origin->definedness = commuting_choose(c, 2) == 0 ? DEFINED_SURELY : DEFINED_NOT;
    held->kind = origin->definedness == DEFINED_SURELY ? HELD_NUMBER : HELD_UNDEFINED;
    held->number = linear_unknown(held->unknown);
    return PATH_OK;
}

uint32_t commuting_new_unknown(struct commuting *c, int64_t lo, int64_t hi, struct origin origin)
{
    VEC_PUSH(&c->origins, origin);
    return facts_add_unknown(&c->facts, lo, hi);
}

struct held commuting_initial(struct commuting *c, uint32_t address, const struct type *type)
{
    uint32_t unknown = pairs_get(&c->unknown_of, address);
    if (unknown == WORDS_NONE) {
        int64_t lo = type->blocks[0].lo, hi = type->blocks[0].hi;
        for (uint32_t b = 1; b < type->block_count; b++) {
            lo = type->blocks[b].lo < lo ? type->blocks[b].lo : lo;
            hi = type->blocks[b].hi > hi ? type->blocks[b].hi : hi;
        }
        struct origin origin = {.address = address, .type = type};
        origin.definedness = proof_is_defined(c, address) ? DEFINED_SURELY : DEFINED_PERHAPS;
        unknown = commuting_new_unknown(c, lo, hi, origin);
        pairs_set(&c->unknown_of, address, unknown);
    }
    return (struct held){.kind = HELD_UNKNOWN, .unknown = unknown};
}

struct held commuting_load(struct commuting *c, uint32_t address, const struct type *type)
{
    uint32_t number = pairs_get(&c->now->at, address);
    return number == WORDS_NONE ? commuting_initial(c, address, type) : c->now->values.items[number];
}

void commuting_store(struct commuting *c, uint32_t address, const struct type *type, struct held held)
{
    uint32_t number = pairs_get(&c->now->at, address);
    struct commuting_cell written = {address, type};
    c->has_written_slot |= address >= COMMUTING_SLOTS;
    if (number != WORDS_NONE) {
        c->now->values.items[number] = held;
        return;
    }
    pairs_set(&c->now->at, address, (uint32_t)c->now->values.count);
    VEC_PUSH(&c->now->written, written);
    VEC_PUSH(&c->now->values, held);
}

static void order_clear(struct commuting_order *order)
{
    pairs_free(&order->at);
    VEC_CLEAR(&order->written);
    VEC_CLEAR(&order->values);
    VEC_CLEAR(&order->insertions);
    VEC_CLEAR(&order->taken);
}

static void order_free(struct commuting_order *order)
{
    pairs_free(&order->at);
    VEC_FREE(&order->written);
    VEC_FREE(&order->values);
    VEC_FREE(&order->insertions);
    VEC_FREE(&order->taken);
}

/* Both iterations, in one order. */
static enum path_end commuting_run_order(struct commuting *c, int number)
{
    enum path_end end = PATH_OK;
    c->now = &c->orders[number];
    order_clear(c->now);
    for (int i = 0; i < 2 && end == PATH_OK; i++) {
        struct held element = {.number = linear_constant(c->pair[i ^ number])};
        c->function = c->effects->function;
        commuting_store(c, c->loop->variable->address, c->loop->variable->type, element);
        end = commuting_block(c, &c->parts[i ^ number]);
    }
    c->now->end = end;
    return end;
}

static void commuting_reset(struct commuting *c)
{
    facts_clear(&c->facts);
    VEC_CLEAR(&c->origins);
    pairs_free(&c->unknown_of);
    pairs_free(&c->bound);
    VEC_CLEAR(&c->counts);
    VEC_CLEAR(&c->count_values);
    VEC_CLEAR(&c->slots);
    c->has_written_slot = false;
    c->element = (struct slot_element){0};
    c->decided = 0;
    c->depth = 0;
    c->frame = NULL;
    c->mentioned = 2;
}

/* The way after this one; false: all were taken. */
static bool commuting_advance(struct commuting *c)
{
    c->decisions.count = c->decided; /* a way that ended early has none beyond */
    while (c->decisions.count && VEC_LAST(&c->decisions).choice + 1 == VEC_LAST(&c->decisions).count)
        c->decisions.count--;
    if (!c->decisions.count)
        return false;
    VEC_LAST(&c->decisions).choice++;
    return true;
}

/* Why it is open, and where the way got stuck: that may be in a function. */
static const char *commuting_words(const struct commuting *c, enum path_end end)
{
    bool is_elsewhere = end == PATH_STUCK && c->at.line && c->at.line != c->loop->stmt->span.line;
    return is_elsewhere ? arena_format(c->effects->arena, "%s, in line %u", c->stuck, c->at.line) : c->stuck;
}

static enum commute_answer commuting_run(struct commuting *c, const char **words)
{
    do {
        commuting_reset(c);
        enum path_end end = commuting_run_order(c, 0);
        if (end != PATH_IMPOSSIBLE && end != PATH_STUCK)
            end = commuting_run_order(c, 1);
        if (end == PATH_IMPOSSIBLE)
            continue;
        enum commute_answer answer = end == PATH_STUCK ? COMMUTE_OPEN : commuting_compare(c, words);
        if (answer == COMMUTE_OPEN)
            *words = commuting_words(c, end);
        if (answer != COMMUTE_PROVED)
            return answer;
    } while (commuting_advance(c));
    return COMMUTE_PROVED;
}

static void commuting_free(struct commuting *c)
{
    facts_free(&c->facts);
    VEC_FREE(&c->origins);
    VEC_FREE(&c->counts);
    VEC_FREE(&c->count_values);
    VEC_FREE(&c->slots);
    VEC_FREE(&c->decisions);
    VEC_FREE(&c->stale);
    pairs_free(&c->unknown_of);
    pairs_free(&c->bound);
    order_free(&c->orders[0]);
    order_free(&c->orders[1]);
}

/* One part of the iteration of the first element, one of that of the second. */
static enum commute_answer commute_parts(struct effects *e, const struct effects_loop *loop, const struct type *owner,
                                         const struct block *first, const struct block *second, const char **words)
{
    struct commuting c = {.effects = e, .loop = loop, .owner = owner, .parts = {*first, *second}};
    c.pair[0] = type_code(owner, 0);
    c.pair[1] = type_code(owner, 1);
    uint64_t work = e->proof_work < COMMUTE_WORK ? e->proof_work : COMMUTE_WORK;
    c.work = work;
    enum commute_answer answer = commuting_run(&c, words);
    e->proof_work -= work - c.work;
    for (size_t u = 0; answer == COMMUTE_PROVED && u < c.stale.count; u++)
        proof_leave_stale(e, c.stale.items[u]);
    commuting_free(&c);
    return answer;
}

/* Does every part of one iteration commute with every part of another? */
static bool commute_by_parts(struct effects *e, const struct effects_loop *loop, const struct type *owner)
{
    struct block parts[COMMUTING_MOST_PARTS];
    const struct block *body = &loop->stmt->body;
    const char *words;
    if (body->count < 2 || body->count > COMMUTING_MOST_PARTS || loop->has_return)
        return false;
    uint32_t count = commuting_split(body, parts);
    for (uint32_t a = 0; count > 1 && a < count; a++)
        for (uint32_t b = a; b < count; b++)
            if (commute_parts(e, loop, owner, &parts[a], &parts[b], &words) != COMMUTE_PROVED)
                return false;
    return count > 1;
}

/* Two elements of one index type. Elements of different ones always come in the same order. */
static enum commute_answer commute_block(struct effects *e, const struct effects_loop *loop, const struct type *owner,
                                         const char **words)
{
    if (commute_by_parts(e, loop, owner))
        return COMMUTE_PROVED;
    return commute_parts(e, loop, owner, &loop->stmt->body, &loop->stmt->body, words);
}

enum commute_answer commuting_decide(struct effects *e, const struct effects_loop *loop, const char **words)
{
    enum commute_answer answer = COMMUTE_PROVED;
    for (uint32_t b = 0; b < loop->domain->block_count && answer == COMMUTE_PROVED; b++) {
        const struct type *owner = loop->domain->blocks[b].owner;
        if (owner->kind == TYPE_INDEX && owner->size > 1)
            answer = commute_block(e, loop, owner, words);
    }
    return answer;
}
