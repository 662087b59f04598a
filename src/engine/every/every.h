/* The engine `every`: do the properties hold for every size of the index types?
 *
 * Small sizes of the model are checked by another engine, whose inductive invariants are clauses over the elements of
 * index types. A clause is true under every permutation of them, so it is one statement about any distinct elements
 * (Goel, Sakallah: On symmetry and quantification, NFM 2021). Such statements, from all sizes so far, and the
 * properties themselves are *candidates*. Those that no rule can make false, for every size at once, are an
 * inductive invariant (Flanagan, Leino: Houdini, FME 2001); a solver for first-order logic decides that (smt/). A
 * property that follows from it holds for every size.
 *
 *   every.c    the steps of a proof
 *   sizes.c    small sizes in all combinations
 *   clause.c   clauses as statements about any elements
 *   proof.c    obligations, which candidates stay
 *   query.c    obligations as questions, and as SMT-LIB files
 *   small.c    answers by a cutoff
 *   ask.c      answers by whatever there is
 *   murphi.c   clauses as Murphi invariants
 *   answer.c   verdicts */
#ifndef NOETHER_ENGINE_EVERY_EVERY_H
#define NOETHER_ENGINE_EVERY_EVERY_H

#include "engine/engine.h"
#include "smt/cutoff.h"
#include "smt/machine.h"
#include "smt/solver.h"

enum { EVERY_MOST_VARIABLES = 8, EVERY_MOST_CANDIDATES = 400, EVERY_LARGEST = 5, EVERY_LARGEST_EXPLORED = 8 };

enum every_test { TEST_UNDEFINED, TEST_CODE, TEST_ELEMENT };

/* A scalar is undefined, has a value, or is an element. */
struct every_literal {
    uint32_t leaf; /* smt/machine.h */
    uint32_t count;
    uint8_t arguments[SMT_MOST_DIMENSIONS]; /* variables */
    enum every_test test;
    uint32_t block, ordinal; /* CODE: of the type of the leaf */
    uint32_t variable;       /* ELEMENT */
    bool is_positive;
};

/* For any distinct elements one of the literals is true; those with an existential variable for some element that
 * differs from these. */
struct every_clause {
    uint32_t variable_count;
    uint32_t types[EVERY_MOST_VARIABLES]; /* ids; the same at every size */
    bool is_existential[EVERY_MOST_VARIABLES];
    struct every_literal *literals; /* on the heap */
    uint32_t count;
};

struct every_candidate {
    struct every_clause clause;
    uint32_t property; /* id; UINT32_MAX: it is the clause */
    bool is_out;       /* it is not inductive */
    bool is_kept;      /* it is part of the best invariant so far */
    bool is_plain;     /* it only says that something is defined */
    struct text words; /* Murphi */
};
typedef VEC(struct every_candidate) candidate_list;

struct every_obligation {
    const struct rule *rule;
    uint32_t number;
    bool is_start;
    term fires, alters;
    term *after;      /* by candidate */
    term *parameters; /* variables */
    uint32_t parameter_count;
    smt_event_list events;
};

/* All that is to be shown, at one size of the model: the formulas do not depend on it. */
struct every_proof {
    const struct system *system;
    const candidate_list *candidates;
    struct fol_store terms;
    struct smt_machine machine;
    term axioms;
    term *before;    /* by candidate */
    term *holds;     /* by property: invariants, in the state before */
    bool *is_wanted; /* by property */
    VEC(struct every_obligation) obligations;
    bool is_stuck_by_firing; /* what a deadlock is */
};

/* -- clause.c -- */
/* The statements that a clause of a size may stand for. */
void clause_lift(const struct layout *layout, const struct cell_literal *literals, uint32_t count,
                 candidate_list *candidates);
/* Every scalar is always defined. */
void clause_add_defined(const struct system *system, candidate_list *candidates);
void clause_add_properties(const struct system *system, candidate_list *candidates);
void candidates_free(candidate_list *candidates);
/* In the memory of the machine as it is. */
term clause_formula(struct smt_machine *machine, const struct every_clause *clause, const term *variables);
void clause_variables(struct smt_machine *machine, const struct every_clause *clause, term *variables);

/* -- murphi.c -- */
/* `is_defined`: by leaf; NULL: none is known to be always defined. */
void clause_print(const struct system *system, const struct every_clause *clause, const bool *is_defined,
                  struct text *out);
bool *defined_leaves(const struct system *system, const candidate_list *candidates);

/* -- proof.c -- */
/* False: the machine says why. Close it in any case. */
bool proof_open(struct every_proof *proof, const struct system *system, const candidate_list *candidates,
                const struct engine_options *options);
void proof_close(struct every_proof *proof);

/* Formulas that are assumed, and questions: is one of them true, too? */
struct every_query {
    const struct every_proof *proof;
    struct text head; /* what it is about */
    struct span span; /* the rule, or the property */
    VEC(term) assumed;
    VEC(const char *) about; /* what each of them says */
    VEC(uint32_t) names;     /* by what is assumed: the candidate; UINT32_MAX: none */
    VEC(term) asked;
    VEC(const char *) asks;
    VEC(uint32_t) candidates; /* by question: the candidate whose negation it is; UINT32_MAX: none */
};

/* -- query.c -- */
/* That the rule keeps the invariant: a question for each candidate that it might not keep. Free queries. */
void query_step(const struct every_proof *proof, const struct every_obligation *obligation, struct every_query *query);
/* That the property follows. */
void query_property(const struct every_proof *proof, const struct property *property, struct every_query *query);
/* That no start state violates it, of which nothing is assumed. */
void query_start(const struct every_proof *proof, const struct property *property, struct every_query *query);
/* `wants_cores`: candidates that are assumed have names, and the solver says which it needed. */
void query_write(const struct every_query *query, bool wants_cores, struct text *out);
void query_free(struct every_query *query);

/* -- small.c: the same questions, by a cutoff and SAT -- */
struct every_sizes {
    uint32_t most[CUTOFF_MOST_SORTS]; /* by sort: up to so many elements were examined */
    struct text why;                  /* there is no cutoff: the first such question */
};
/* False: there is no cutoff (`sizes` says why), it is larger than `largest`, or there is no time. `take`: as for
 * smt_solve_cores; NULL: none. */
bool small_solve(const struct every_query *query, uint32_t largest, struct every_sizes *sizes, smt_answer_list *answers,
                 void (*take)(void *user, uint32_t question, uint32_t name), void *user);

/* A size for each index type, in the order of system->sized. */
struct every_combination {
    uint32_t *sizes;   /* on the heap */
    uint32_t elements; /* of all types whose size changes, in all */
    uint32_t largest;  /* of these sizes; 0: none changes */
    uint32_t number;   /* of equals, an order */
    bool is_covered;   /* no state violates anything */
    uint64_t cut_at;   /* a plain search had more states than this; 0: none was cut */
};

struct every_search {
    const struct layout *layout;
    const struct system *system;
    const struct engine_options *options;
    candidate_list candidates;
    struct smt_folder folder;
    bool *is_proved;                            /* by property */
    bool is_varied;                             /* sizes change */
    VEC(struct every_combination) combinations; /* smaller shells first (sizes.c) */
    uint32_t shells;                            /* the largest size in them */
    uint32_t explored;                          /* no violation with up to so many elements, in any combination */
    uint32_t queries;                           /* that the proof consists of */
    uint32_t by_cutoffs;                        /* of their answers */
    uint32_t kept;                              /* candidates */
    double seconds;                             /* for one question */
    struct text obstacle;                       /* why it is not proved; empty: nothing is known */
    struct span obstacle_at;                    /* the place that is not understood; line 0: there is none */
    const char *obstacle_hint;                  /* what to write there instead; or NULL */
    struct text second;                         /* what another solver says */
    struct text cutoff;                         /* ... and the cutoffs */
    struct every_sizes small;
    bool has_main;           /* z3 is there */
    bool is_to_last;         /* files are evidence: z3 is asked first, though a cutoff may be quicker */
    struct result *violated; /* at some combination of sizes; NULL: none was found */
    bool is_cut;
    double begin, begin_cpu;
};

/* every.c: are other sizes of that type explored, too? Else it has the size of the model. */
bool every_changes(const struct every_search *search, size_t sized);
/* Adds what the clause of an invariant may say of any elements to the candidates. */
void every_take_clause(void *user, const struct layout *layout, const struct cell_literal *literals, uint32_t count);

/* -- sizes.c -- */
/* By plain searches that are cut early: the declared sizes, then all combinations. A violation with fewer elements is
 * preferred. */
void every_explore_first(struct every_search *search);
/* By longer ones, also of larger sizes. */
void every_explore_rest(struct every_search *search);
/* By the helper: the combinations with that largest size that no search covers, and the one with the most elements.
 * False: there is no more to be done. */
bool every_solve_shell(struct every_search *search, uint32_t size);
void every_free_combinations(struct every_search *search);

/* -- ask.c -- */
/* False: there is none. */
bool every_has_solver(struct every_search *search);
void file_name(struct text *out, const char *kind, uint32_t number, const char *name);
void step_file_name(struct text *out, const struct every_obligation *obligation);
/* One answer for each question. The file of that name stays. False: it cannot be written. */
bool every_ask(struct every_search *search, const struct every_query *query, const struct text *name,
               smt_answer_list *answers);
/* Which candidates are needed: all questions have the answer no. False: there is no answer to all of them. */
bool every_ask_cores(struct every_search *search, const struct every_query *query,
                     void (*take)(void *user, uint32_t question, uint32_t name), void *user);
/* What another program, and the cutoffs, say of the proof. If one of them contradicts, nothing is proved. */
void every_ask_others(struct every_search *search, const struct every_proof *proof);

/* -- houdini.c: removes what is not inductive, and finds out which properties follow -- */
void every_prove(struct every_search *search);
/* Why it is not proved, in place of an earlier reason. `at`: the place that is not understood (line 0: none); `hint`:
 * what to write instead, or NULL. */
void every_set_obstacle(struct every_search *search, struct span at, const char *hint, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The invariant that was kept, without what nothing needs, as files; checked once more, and by another solver. */
void every_conclude(struct every_search *search);

/* -- answer.c -- */
/* "3 of N and 2 of M" */
void every_print_sizes(const struct system *system, struct text *out);
/* Is it of the kinds that can be proved? */
static inline bool every_is_safety(const struct property *property)
{
    return property->kind == PROPERTY_INVARIANT || property->kind == PROPERTY_ASSERTION ||
           property->kind == PROPERTY_ERROR || property->kind == PROPERTY_RUNTIME ||
           property->kind == PROPERTY_DEADLOCK;
}
struct result *every_answer(struct every_search *search);

#endif
