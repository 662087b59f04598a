/* Who answers. While candidates are removed: a cutoff that is small, which costs least; then z3, if it is installed;
 * then any cutoff. What remains in the end is asked of z3 first, and the others say what they think of it. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/watch.h"
#include "bits/solver.h"
#include "engine/every/every.h"

enum { SMALL_CUTOFF = 16 };
static const char main_solver[] = "z3", second_solver[] = "cvc5";

bool every_has_solver(struct every_search *search)
{
    search->has_main = smt_solver_is_found(main_solver);
    return search->has_main || solver_is_available();
}

/* "step-007-Home-takes-up-a-request.smt2" */
void file_name(struct text *out, const char *kind, uint32_t number, const char *name)
{
    text_format(out, "%s-%03u-", kind, number);
    for (uint32_t i = 0; name[i] && i < 40; i++)
        text_char(out, isalnum((unsigned char)name[i]) ? name[i] : '-');
    text_append(out, ".smt2");
}

void step_file_name(struct text *out, const struct every_obligation *obligation)
{
    file_name(out, obligation->is_start ? "start" : "step", obligation->number, obligation->rule->name);
}

static bool write_file(struct every_search *search, const struct every_query *query, const char *name, bool wants_cores)
{
    struct text content = {0};
    query_write(query, wants_cores, &content);
    bool is_written = smt_folder_write(&search->folder, name, &content);
    text_free(&content);
    return is_written;
}

/* One answer for each question, whatever happened. */
static void ask_program(struct every_search *search, const char *solver, const struct every_query *query,
                        const char *name, smt_answer_list *answers)
{
    VEC_CLEAR(answers);
    bool is_good = smt_solve(&search->folder, solver, name, search->seconds, answers);
    if (!is_good || answers->count != query->asked.count)
        VEC_CLEAR(answers);
    while (answers->count < query->asked.count)
        VEC_PUSH(answers, SMT_UNKNOWN);
}

static bool has_unknown(const smt_answer_list *answers)
{
    for (size_t i = 0; i < answers->count; i++)
        if (answers->items[i] == SMT_UNKNOWN)
            return true;
    return false;
}

/* Returns how many it takes. */
static uint32_t take_answers(smt_answer_list *answers, smt_answer_list *others)
{
    uint32_t taken = 0;
    for (size_t i = 0; i < answers->count; i++)
        if (answers->items[i] == SMT_UNKNOWN) {
            answers->items[i] = others->items[i];
            taken += others->items[i] != SMT_UNKNOWN;
        }
    VEC_FREE(others);
    return taken;
}

static void ask_cutoff(struct every_search *search, const struct every_query *query, uint32_t largest,
                       smt_answer_list *answers)
{
    smt_answer_list others = {0};
    if (!has_unknown(answers) || watch_is_up())
        return;
    small_solve(query, largest, &search->small, &others, NULL, NULL);
    search->by_cutoffs += take_answers(answers, &others);
}

static void ask_main(struct every_search *search, const struct every_query *query, const char *name,
                     smt_answer_list *answers)
{
    smt_answer_list others = {0};
    if (!search->has_main || !has_unknown(answers) || watch_is_up())
        return;
    ask_program(search, main_solver, query, name, &others);
    take_answers(answers, &others);
}

bool every_ask(struct every_search *search, const struct every_query *query, const struct text *name,
               smt_answer_list *answers)
{
    VEC_CLEAR(answers);
    for (size_t i = 0; i < query->asked.count; i++)
        VEC_PUSH(answers, SMT_UNKNOWN);
    if (!search->is_to_last)
        ask_cutoff(search, query, SMALL_CUTOFF, answers);
    bool is_good = write_file(search, query, text_chars(name), false);
    if (is_good)
        ask_main(search, query, text_chars(name), answers);
    ask_cutoff(search, query, CUTOFF_LARGEST, answers);
    search->is_cut |= watch_is_up();
    return is_good;
}

bool every_ask_cores(struct every_search *search, const struct every_query *query,
                     void (*take)(void *user, uint32_t question, uint32_t name), void *user)
{
    static const char name[] = "core.smt2";
    smt_answer_list answers = {0};
    bool is_good = search->has_main && write_file(search, query, name, true) &&
                   smt_solve_cores(&search->folder, main_solver, name, search->seconds, take, user);
    if (!is_good && !watch_is_up())
        is_good = small_solve(query, CUTOFF_LARGEST, &search->small, &answers, take, user);
    smt_folder_forget(&search->folder, name);
    VEC_FREE(&answers);
    return is_good;
}

/* -- Second opinions -- */

/* How often another one agrees. */
struct opinion {
    uint32_t agreed, open, against;
};

static void opinion_take(struct opinion *opinion, const smt_answer_list *answers)
{
    for (size_t i = 0; i < answers->count; i++) {
        opinion->agreed += answers->items[i] == SMT_UNSATISFIABLE;
        opinion->against += answers->items[i] == SMT_SATISFIABLE;
        opinion->open += answers->items[i] == SMT_UNKNOWN;
    }
}

/* One of the two is wrong: nothing is proved. */
static void contradict(struct every_search *search, const char *who)
{
    every_set_obstacle(search, (struct span){0}, NULL, "%s contradicts %s", who,
                       search->has_main ? main_solver : "the cutoff");
    for (size_t p = 0; p < search->system->properties.count; p++)
        search->is_proved[p] = false;
}

/* The files of the proof, by another solver: it may need longer, but must not contradict. */
static void ask_second_program(struct every_search *search, const struct every_proof *proof)
{
    struct opinion opinion = {0};
    for (size_t o = 0; o < proof->obligations.count && !watch_is_up(); o++) {
        struct every_query query;
        struct text name = {0};
        smt_answer_list answers = {0};
        query_step(proof, &proof->obligations.items[o], &query);
        step_file_name(&name, &proof->obligations.items[o]);
        if (query.asked.count)
            ask_program(search, second_solver, &query, text_chars(&name), &answers);
        opinion_take(&opinion, &answers);
        query_free(&query);
        VEC_FREE(&answers);
        text_free(&name);
    }
    text_format(&search->second, "%s agrees on %u of %u questions about steps", second_solver, opinion.agreed,
                opinion.agreed + opinion.open + opinion.against);
    if (opinion.against)
        contradict(search, second_solver);
}

static void say_sizes(const struct every_search *search, const struct every_proof *proof, struct text *out)
{
    const char *before = "up to ";
    for (size_t s = 1; s < proof->terms.sorts.count; s++)
        if (search->small.most[s]) {
            text_format(out, "%s%u of %s", before, search->small.most[s], proof->terms.sorts.items[s]);
            before = ", ";
        }
}

static void take_query(struct every_search *search, struct every_query *query, struct opinion *opinion)
{
    smt_answer_list answers = {0};
    if (query->asked.count)
        small_solve(query, CUTOFF_LARGEST, &search->small, &answers, NULL, NULL);
    opinion_take(opinion, &answers);
    VEC_FREE(&answers);
    query_free(query);
}

/* All questions, at all sizes up to their cutoffs. */
static void ask_all_small(struct every_search *search, const struct every_proof *proof)
{
    struct opinion opinion = {0};
    struct every_query query;
    text_clear(&search->small.why);
    memset(search->small.most, 0, sizeof search->small.most); /* of this proof, not of what was tried before */
    for (size_t o = 0; o < proof->obligations.count && !watch_is_up(); o++) {
        query_step(proof, &proof->obligations.items[o], &query);
        take_query(search, &query, &opinion);
    }
    for (size_t p = 0; p < search->system->properties.count && !watch_is_up(); p++) {
        if (!search->is_proved[p])
            continue;
        query_property(proof, search->system->properties.items[p], &query);
        take_query(search, &query, &opinion);
        query_start(proof, search->system->properties.items[p], &query);
        take_query(search, &query, &opinion);
    }
    text_format(&search->cutoff, "cutoffs answer %u of %u questions", opinion.agreed + opinion.against,
                opinion.agreed + opinion.open + opinion.against);
    if (opinion.agreed) {
        text_append(&search->cutoff, ": ");
        say_sizes(search, proof, &search->cutoff);
    }
    if (opinion.open && search->small.why.length)
        text_format(&search->cutoff, "; no cutoff: %s", text_chars(&search->small.why));
    if (opinion.against)
        contradict(search, "the cutoff");
}

void every_ask_others(struct every_search *search, const struct every_proof *proof)
{
    if (smt_solver_is_found(second_solver))
        ask_second_program(search, proof);
    if (solver_is_available())
        ask_all_small(search, proof);
}
