/* The largest part of the candidates that is inductive (Flanagan, Leino: Houdini, an annotation assistant for ESC/Java,
 * FME 2001), and what follows from it. */
#include <stdlib.h>
#include <string.h>

#include "base/watch.h"
#include "engine/every/every.h"
#include "population/sizes.h"

/* Candidates that the rule may make false are out. True: there were some. */
static bool step_filter(struct every_search *search, const struct every_proof *proof,
                        const struct every_obligation *obligation)
{
    struct every_query query;
    struct text name = {0};
    smt_answer_list answers = {0};
    bool is_removed = false;
    query_step(proof, obligation, &query);
    step_file_name(&name, obligation);
    every_ask(search, &query, &name, &answers);
    for (uint32_t i = 0; i < query.asked.count && !search->is_cut; i++)
        if (answers.items[i] != SMT_UNSATISFIABLE)
            search->candidates.items[query.candidates.items[i]].is_out = is_removed = true;
    search->queries += (uint32_t)query.asked.count;
    query_free(&query);
    VEC_FREE(&answers);
    text_free(&name);
    return is_removed;
}

/* Until a whole round removes nothing. False: there was no time. */
static bool houdini(struct every_search *search, const struct every_proof *proof)
{
    bool is_removed = true;
    while (is_removed && !search->is_cut) {
        is_removed = false;
        search->queries = search->by_cutoffs = 0;
        for (size_t o = 0; o < proof->obligations.count && !search->is_cut; o++)
            is_removed |= step_filter(search, proof, &proof->obligations.items[o]);
    }
    return !search->is_cut;
}

/* -- Properties -- */

static bool all_unsatisfiable(const smt_answer_list *answers)
{
    for (size_t i = 0; i < answers->count; i++)
        if (answers->items[i] != SMT_UNSATISFIABLE)
            return false;
    return true;
}

/* Frees the query. */
static bool query_is_proved(struct every_search *search, const char *kind, const struct property *property,
                            struct every_query *query)
{
    struct text name = {0};
    smt_answer_list answers = {0};
    file_name(&name, kind, property->id, property->name ? property->name : property_kind_name(property->kind));
    bool is_proved = every_ask(search, query, &name, &answers) && all_unsatisfiable(&answers);
    search->queries += (uint32_t)query->asked.count;
    if (!is_proved) /* evidence is what proves something */
        smt_folder_forget(&search->folder, text_chars(&name));
    query_free(query);
    VEC_FREE(&answers);
    text_free(&name);
    return is_proved && !search->is_cut;
}

static bool property_follows(struct every_search *search, const struct every_proof *proof,
                             const struct property *property)
{
    struct every_query query;
    /* Formulas that allow more steps than there are say nothing of steps that must be possible. */
    if (property->kind == PROPERTY_DEADLOCK && (proof->machine.is_inexact || system_has_assumptions(proof->system)))
        return false;
    query_property(proof, property, &query);
    bool is_proved = query_is_proved(search, "property", property, &query);
    if (is_proved && property->kind != PROPERTY_INVARIANT && property->kind != PROPERTY_DEADLOCK) {
        query_start(proof, property, &query);
        is_proved = query_is_proved(search, "property-start", property, &query);
    }
    return is_proved;
}

static bool is_provable(const struct property *property)
{
    return (property->kind == PROPERTY_INVARIANT && property->formula) || property->kind == PROPERTY_ASSERTION ||
           property->kind == PROPERTY_ERROR || property->kind == PROPERTY_RUNTIME ||
           property->kind == PROPERTY_DEADLOCK;
}

/* -- The formulas must not depend on the sizes -- */

static bool is_same_text(struct text *a, struct text *b)
{
    bool is_same = a->length == b->length && !memcmp(text_chars(a), text_chars(b), a->length);
    text_free(a);
    text_free(b);
    return is_same;
}

/* Frees the query. */
static void put_query(struct every_query *query, struct text *out)
{
    query_write(query, false, out);
    query_free(query);
}

static bool step_is_uniform(const struct every_proof *proof, const struct every_proof *other, size_t obligation)
{
    struct text a = {0}, b = {0};
    struct every_query query;
    query_step(proof, &proof->obligations.items[obligation], &query);
    put_query(&query, &a);
    query_step(other, &other->obligations.items[obligation], &query);
    put_query(&query, &b);
    return is_same_text(&a, &b);
}

static void put_property(const struct every_proof *proof, size_t property, struct text *out)
{
    struct every_query query;
    query_property(proof, proof->system->properties.items[property], &query);
    put_query(&query, out);
    query_start(proof, proof->system->properties.items[property], &query);
    put_query(&query, out);
}

static bool property_is_uniform(const struct every_proof *proof, const struct every_proof *other, size_t property)
{
    struct text a = {0}, b = {0};
    if (!is_provable(proof->system->properties.items[property]))
        return true;
    put_property(proof, property, &a);
    put_property(other, property, &b);
    return is_same_text(&a, &b);
}

static bool proofs_are_equal(const struct every_proof *proof, const struct every_proof *other)
{
    bool is_uniform = proof->obligations.count == other->obligations.count &&
                      proof->system->properties.count == other->system->properties.count;
    for (size_t o = 0; is_uniform && o < proof->obligations.count; o++)
        is_uniform = step_is_uniform(proof, other, o);
    for (size_t p = 0; is_uniform && p < proof->system->properties.count; p++)
        is_uniform = property_is_uniform(proof, other, p);
    return is_uniform;
}

/* A second reading of the model, with other sizes, gives the same text. That the constants stand nowhere else is known
 * from the front end; this finds what it may have overlooked. */
static bool is_uniform(struct every_search *search)
{
    const struct sizes *family = search->options->sizes;
    size_t count = search->system->sized.count;
    uint32_t *sizes = memory_zeroed(count + 1, sizeof *sizes);
    for (size_t i = 0; i < count; i++)
        sizes[i] = search->system->sized.items[i].type->size + 1;
    const struct layout *layout = family->with(family->user, sizes);
    struct every_proof proof, other;
    bool is_same = false;
    if (layout) {
        bool is_good = proof_open(&proof, search->system, &search->candidates, search->options);
        is_good &= proof_open(&other, layout->system, &search->candidates, search->options);
        is_same = is_good && proofs_are_equal(&proof, &other);
        proof_close(&proof);
        proof_close(&other);
    }
    free(sizes);
    return is_same;
}

/* -- All of it -- */

static void say_obstacle(struct every_search *search, const struct every_proof *proof)
{
    const struct smt_machine *machine = &proof->machine;
    if (machine->is_refused)
        every_set_obstacle(search, machine->refused, NULL, "%s", text_chars(&machine->refusal));
    else if (machine->is_inexact)
        every_set_obstacle(search, machine->inexact, NULL, "a loop whose iterations depend on each other");
    else
        every_set_obstacle(search, (struct span){0}, NULL, "the invariants of these sizes are not inductive for all");
}

static void count_kept(struct every_search *search)
{
    search->kept = 0;
    for (size_t i = 0; i < search->candidates.count; i++)
        search->kept += !search->candidates.items[i].is_out;
}

static bool find_following(struct every_search *search, const struct every_proof *proof)
{
    bool is_any = false, has_open = false;
    for (size_t p = 0; p < search->system->properties.count; p++) {
        const struct property *property = search->system->properties.items[p];
        bool is_off = property->kind == PROPERTY_DEADLOCK && search->options->deadlock == DEADLOCK_OFF;
        search->is_proved[p] = is_provable(property) && !is_off && property_follows(search, proof, property);
        has_open |= property->kind == PROPERTY_INVARIANT && !search->is_proved[p];
        is_any |= search->is_proved[p];
    }
    for (size_t p = 0; p < search->system->properties.count && has_open; p++) {
        enum property_kind kind = search->system->properties.items[p]->kind;
        if (kind == PROPERTY_ASSERTION || kind == PROPERTY_ERROR) /* it may stand in a function that a formula calls */
            search->is_proved[p] = false;
    }
    return is_any;
}

void every_prove(struct every_search *search)
{
    struct every_proof proof;
    for (size_t i = 0; i < search->candidates.count; i++)
        search->candidates.items[i].is_out = false;
    bool is_good = proof_open(&proof, search->system, &search->candidates, search->options);
    say_obstacle(search, &proof);
    is_good = is_good && houdini(search, &proof) && find_following(search, &proof) && !search->is_cut;
    if (!is_good && !search->has_main && search->small.why.length && !proof.machine.is_refused) {
        every_set_obstacle(search, (struct span){0}, NULL, "z3 is not installed, and there is no cutoff: %s",
                           text_chars(&search->small.why));
    }
    for (size_t p = 0; p < search->system->properties.count && !is_good; p++)
        search->is_proved[p] = false;
    proof_close(&proof);
}

/* -- What is needed -- */

struct every_needs {
    const struct every_query *query; /* at hand */
    bool *needs;                     /* by candidate and candidate: the first needs the second */
    bool *is_needed;
    size_t count;
};

static void take_need(void *user, uint32_t question, uint32_t name)
{
    struct every_needs *needs = user;
    if (name >= needs->count || question >= needs->query->asked.count)
        return;
    uint32_t candidate = needs->query->candidates.items[question];
    if (candidate != UINT32_MAX)
        needs->needs[candidate * needs->count + name] = true;
    else
        needs->is_needed[name] = true;
}

/* Frees the query. */
static bool core_of(struct every_search *search, struct every_query *query, struct every_needs *needs)
{
    needs->query = query;
    bool is_good = every_ask_cores(search, query, take_need, needs);
    query_free(query);
    return is_good;
}

static bool core_of_step(struct every_search *search, const struct every_proof *proof,
                         const struct every_obligation *obligation, struct every_needs *needs)
{
    struct every_query query;
    query_step(proof, obligation, &query);
    return core_of(search, &query, needs);
}

static bool core_of_property(struct every_search *search, const struct every_proof *proof, size_t property,
                             struct every_needs *needs)
{
    struct every_query query;
    query_property(proof, search->system->properties.items[property], &query);
    return core_of(search, &query, needs);
}

static void close_needs(struct every_needs *needs)
{
    bool is_new = true;
    while (is_new) {
        is_new = false;
        for (size_t i = 0; i < needs->count; i++)
            for (size_t j = 0; j < needs->count && needs->is_needed[i]; j++)
                if (needs->needs[i * needs->count + j] && !needs->is_needed[j])
                    needs->is_needed[j] = is_new = true;
    }
}

/* The candidates that the properties need, and those that these need, by unsatisfiable cores. What the cores leave out
 * is out. That the rest is inductive is checked again by the caller. */
static void minimise(struct every_search *search, const struct every_proof *proof)
{
    size_t count = search->candidates.count;
    struct every_needs needs = {.count = count};
    needs.needs = memory_zeroed(count * count + 1, sizeof *needs.needs);
    needs.is_needed = memory_zeroed(count + 1, sizeof *needs.is_needed);
    bool is_good = true;
    for (size_t i = 0; i < count; i++) /* what is defined makes the others shorter */
        needs.is_needed[i] = search->candidates.items[i].is_plain && !search->candidates.items[i].is_out;
    for (size_t p = 0; is_good && p < search->system->properties.count; p++)
        is_good = !search->is_proved[p] || core_of_property(search, proof, p, &needs);
    for (size_t o = 0; is_good && o < proof->obligations.count; o++)
        is_good = core_of_step(search, proof, &proof->obligations.items[o], &needs);
    close_needs(&needs);
    for (size_t i = 0; is_good && i < count; i++)
        search->candidates.items[i].is_out |= !needs.is_needed[i];
    free(needs.needs);
    free(needs.is_needed);
}

/* -- The end -- */

static void take_kept(struct every_search *search)
{
    for (size_t i = 0; i < search->candidates.count; i++)
        search->candidates.items[i].is_out = !search->candidates.items[i].is_kept;
}

/* The properties, with fewer candidates. False: one is lost. */
static bool is_proved_again(struct every_search *search, const struct every_proof *proof)
{
    size_t count = search->system->properties.count;
    bool *before = memory_zeroed(count + 1, sizeof *before), is_good = true;
    memcpy(before, search->is_proved, count * sizeof *before);
    is_good = houdini(search, proof);
    for (size_t p = 0; is_good && p < count; p++)
        if (before[p])
            is_good = property_follows(search, proof, search->system->properties.items[p]);
    if (is_good)
        memcpy(search->is_proved, before, count * sizeof *before);
    free(before);
    return is_good;
}

static void withdraw(struct every_search *search, const char *why)
{
    every_set_obstacle(search, (struct span){0}, NULL, "%s", why);
    for (size_t p = 0; p < search->system->properties.count; p++)
        search->is_proved[p] = false;
}

void every_conclude(struct every_search *search)
{
    struct every_proof proof;
    bool is_any = false;
    for (size_t p = 0; p < search->system->properties.count; p++)
        is_any |= search->is_proved[p];
    if (!is_any)
        return;
    take_kept(search);
    search->is_to_last = true;
    bool is_good = proof_open(&proof, search->system, &search->candidates, search->options);
    if (is_good)
        minimise(search, &proof);
    if (is_good && !is_proved_again(search, &proof) && !search->is_cut) { /* the cores were too small: all of it */
        take_kept(search);
        is_good = is_proved_again(search, &proof);
    }
    count_kept(search);
    if (search->is_cut || watch_is_up())
        withdraw(search, "there was no time to check the proof once more");
    else if (!is_good)
        withdraw(search, "a solver contradicts the cutoffs when the proof is checked once more");
    else if (!is_uniform(search))
        withdraw(search, "the model is another one at other sizes");
    else
        every_ask_others(search, &proof);
    proof_close(&proof);
}
