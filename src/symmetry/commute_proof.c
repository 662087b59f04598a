/* A loop in a function is met once for every way to call it. What is proved of it stands on little of how it was
 * called: that is noted with the proof, and where it is the same again, so is the answer. */
#include "symmetry/commuting.h"

/* What was asked about the surroundings of the loop. */
enum needed_kind {
    NEEDED_PATH,    /* where does the reference lead? */
    NEEDED_DEFINED, /* is what stands at the address defined, for sure? */
    NEEDED_PRIVATE  /* is the unit read by no iteration before it writes it? */
};

struct needed {
    struct needed *next;
    enum needed_kind kind;
    uint32_t key; /* number of the reference, address, unit */
    const struct effects_path *path;
    bool answer;
};

struct proved_stale {
    struct proved_stale *next;
    uint32_t unit;
};

struct commute_proof {
    struct commute_proof *next;
    const struct stmt *stmt;
    bool is_start;
    struct needed *needs;
    struct proved_stale *stale;
    enum commute_answer answer;
    const char *words;
};

static void proof_need(struct commuting *c, struct needed need)
{
    struct commute_proof *proof = c->effects->proof;
    for (const struct needed *old = proof->needs; old; old = old->next)
        if (old->kind == need.kind && old->key == need.key)
            return;
    struct needed *new = ARENA_NEW(c->effects->arena, struct needed);
    *new = need;
    new->next = proof->needs;
    proof->needs = new;
}

const struct effects_path *proof_path(struct commuting *c, const struct variable *reference)
{
    uint32_t number = effects_number(c->effects, reference);
    const struct effects_path *path = c->effects->bound[number];
    proof_need(c, (struct needed){.kind = NEEDED_PATH, .key = number, .path = path});
    return path;
}

/* Variables of loops, quantifiers and rules always have a value, some global ones too. */
static bool surely_defined(const struct effects *e, uint32_t address)
{
    if (address < e->symmetry->system->state_cells)
        return e->is_definite[address] && !e->is_start;
    return e->numbers[address] && e->values[e->numbers[address]].kind == MEANS_VARIABLE;
}

bool proof_is_defined(struct commuting *c, uint32_t address)
{
    bool answer = surely_defined(c->effects, address);
    proof_need(c, (struct needed){.kind = NEEDED_DEFINED, .key = address, .answer = answer});
    return answer;
}

/* Of a local variable: what the last iteration leaves there may differ. */
static bool unit_is_private(const struct effects_loop *loop, uint32_t unit)
{
    for (size_t i = 0; i < loop->accesses.count; i++) {
        const struct access *access = &loop->accesses.items[i];
        bool is_concerned = access->units.count && unit - access->units.first < access->units.count;
        if (!access->path->root || (is_concerned && access->mode != ACCESS_WRITE && !access->is_private))
            return false;
    }
    return !loop->has_return;
}

bool proof_is_private(struct commuting *c, uint32_t unit)
{
    bool answer = unit_is_private(c->loop, unit);
    proof_need(c, (struct needed){.kind = NEEDED_PRIVATE, .key = unit, .answer = answer});
    return answer;
}

static bool need_is_met(const struct effects *e, const struct effects_loop *loop, const struct needed *need)
{
    switch (need->kind) {
    case NEEDED_PATH:
        return need->path && e->bound[need->key] && path_equal(need->path, e->bound[need->key]) &&
               need->path->is_slot == e->bound[need->key]->is_slot;
    case NEEDED_DEFINED:
        return surely_defined(e, need->key) == need->answer;
    case NEEDED_PRIVATE:
        return unit_is_private(loop, need->key) == need->answer;
    }
    UNREACHABLE("kind of need");
}

static bool proof_applies(const struct effects *e, const struct effects_loop *loop, const struct commute_proof *proof)
{
    bool applies = proof->stmt == loop->stmt && proof->is_start == e->is_start;
    for (const struct needed *need = proof->needs; applies && need; need = need->next)
        applies = need_is_met(e, loop, need);
    return applies;
}

void proof_leave_stale(struct effects *e, uint32_t unit)
{
    struct proved_stale *stale = ARENA_NEW(e->arena, struct proved_stale);
    *stale = (struct proved_stale){e->proof->stale, unit};
    e->proof->stale = stale;
}

static struct commute_proof *proof_make(struct effects *e, const struct effects_loop *loop)
{
    struct commute_proof *proof = ARENA_NEW(e->arena, struct commute_proof);
    *proof = (struct commute_proof){.next = e->proofs, .stmt = loop->stmt, .is_start = e->is_start};
    e->proof = proof;
    proof->answer = commuting_decide(e, loop, &proof->words);
    e->proofs = proof;
    return proof;
}

enum commute_answer commute_decide(struct effects *e, const struct effects_loop *loop, const char **words)
{
    const struct commute_proof *proof = e->proofs;
    if (!loop->stmt || loop->domain->kind == TYPE_MULTISET) {
        *words = NULL;
        return COMMUTE_OPEN;
    }
    while (proof && !proof_applies(e, loop, proof))
        proof = proof->next;
    if (!proof)
        proof = proof_make(e, loop);
    for (const struct proved_stale *stale = proof->stale; stale; stale = stale->next)
        effects_make_stale(e, stale->unit, loop);
    *words = proof->words;
    return proof->answer;
}
