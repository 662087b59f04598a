/* Questions about every size, answered at small sizes: a question has a cutoff (smt/cutoff.h), or it is refused. */
#include <stdlib.h>

#include "engine/every/every.h"
#include "smt/finite.h"

enum { SMALL_MOST_CONFLICTS = 200000 };

static void put_span(struct text *out, struct span span)
{
    if (span.source)
        text_format(out, "%s:%u:%u: ", span.source->shown, span.line, span.column);
    else
        text_append(out, "deadlock: ");
}

/* Where it is: the declaration of a variable, the property that is assumed or asked, else the rule. */
static void say_why(const struct every_query *query, const struct cutoff *cutoff, struct text *out)
{
    const struct every_proof *proof = query->proof;
    const struct smt_leaf *leaf = cutoff->symbol != UINT32_MAX ? leaf_of_symbol(&proof->machine, cutoff->symbol) : NULL;
    uint32_t candidate = UINT32_MAX;
    if (cutoff->formula < query->assumed.count)
        candidate = query->names.items[cutoff->formula];
    else if (cutoff->formula != UINT32_MAX)
        candidate = query->candidates.items[cutoff->formula - query->assumed.count];
    uint32_t property = candidate != UINT32_MAX ? proof->candidates->items[candidate].property : UINT32_MAX;
    struct span span = leaf                     ? leaf->variable->span
                       : property != UINT32_MAX ? proof->system->properties.items[property]->span
                                                : query->span;
    put_span(out, span);
    if (leaf)
        text_format(out, "\"%s\": ", leaf->name);
    else if (candidate != UINT32_MAX && property == UINT32_MAX)
        text_format(out, "\"%s\": ", text_chars(&proof->candidates->items[candidate].words));
    text_append(out, text_chars(&cutoff->why));
}

static void take_sizes(const struct every_query *query, const struct cutoff *cutoff, struct every_sizes *sizes)
{
    for (size_t s = 1; s < query->proof->terms.sorts.count; s++)
        if (cutoff->sizes[s] > sizes->most[s])
            sizes->most[s] = cutoff->sizes[s];
}

static void take_core(const struct every_query *query, struct finite *finite, const int *literals, uint32_t question,
                      void (*take)(void *user, uint32_t question, uint32_t name), void *user)
{
    for (size_t i = 0; i < query->assumed.count; i++)
        if (query->names.items[i] != UINT32_MAX && finite_failed(finite, literals[i]))
            take(user, question, query->names.items[i]);
}

static bool solve(const struct every_query *query, struct finite *finite, smt_answer_list *answers,
                  void (*take)(void *user, uint32_t question, uint32_t name), void *user)
{
    size_t count = query->assumed.count;
    int *literals = memory_zeroed(count + 1, sizeof *literals);
    bool is_good = true;
    for (size_t i = 0; i < count; i++)
        literals[i] = finite_literal(finite, query->assumed.items[i]);
    for (uint32_t q = 0; q < query->asked.count; q++) {
        literals[count] = finite_literal(finite, query->asked.items[q]);
        enum smt_answer answer = finite_ask(finite, literals, count + 1, SMALL_MOST_CONFLICTS);
        VEC_PUSH(answers, answer);
        is_good &= answer != SMT_UNKNOWN;
        if (answer == SMT_UNSATISFIABLE && take)
            take_core(query, finite, literals, q, take, user);
    }
    free(literals);
    return is_good;
}

static bool is_within(const struct every_query *query, const struct cutoff *cutoff, uint32_t largest)
{
    for (size_t s = 1; s < query->proof->terms.sorts.count; s++)
        if (cutoff->sizes[s] > largest)
            return false;
    return true;
}

bool small_solve(const struct every_query *query, uint32_t largest, struct every_sizes *sizes, smt_answer_list *answers,
                 void (*take)(void *user, uint32_t question, uint32_t name), void *user)
{
    const struct fol_store *terms = &query->proof->terms;
    struct cutoff cutoff = {0};
    bool is_good = solver_is_available() &&
                   cutoff_find(terms, query->assumed.items, query->assumed.count, query->asked.items,
                               query->asked.count, &cutoff) &&
                   is_within(query, &cutoff, largest);
    VEC_CLEAR(answers);
    if (is_good) {
        struct finite *finite = finite_open(terms, cutoff.sizes);
        take_sizes(query, &cutoff, sizes);
        is_good = solve(query, finite, answers, take, user);
        finite_close(finite);
    } else {
        if (!sizes->why.length && cutoff.why.length)
            say_why(query, &cutoff, &sizes->why);
        for (size_t q = 0; q < query->asked.count; q++)
            VEC_PUSH(answers, SMT_UNKNOWN);
    }
    text_free(&cutoff.why);
    return is_good;
}
