#include "ir/chain.h"

struct chain *chain_create(struct system *system, enum chain_kind kind)
{
    struct chain *chain = ARENA_NEW(system->arena, struct chain);
    chain->kind = kind;
    system->chain = chain;
    return chain;
}

void chain_destroy(struct chain *chain)
{
    if (!chain)
        return;
    for (size_t i = 0; i < chain->rationals.count; i++)
        rational_destroy(chain->rationals.items[i]);
    VEC_FREE(&chain->rationals);
}

const struct rational *chain_keep(struct chain *chain, const struct rational *factor)
{
    VEC_PUSH(&chain->rationals, rational_create(0, 1));
    rational_copy(VEC_LAST(&chain->rationals), factor);
    return VEC_LAST(&chain->rationals);
}

const char *chain_kind_name(enum chain_kind kind)
{
    static const char *const names[] = {"Markov chain (dtmc)", "Markov decision process (mdp)",
                                        "continuous-time Markov chain (ctmc)"};
    return names[kind];
}
