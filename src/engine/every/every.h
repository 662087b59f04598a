/* The engine `every`: do the properties hold for every size of the index types?
 *
 * Small sizes of the model are checked by another engine, whose inductive invariants are clauses over the elements of
 * index types. A clause is true under every permutation of them, so it is one statement about any distinct elements
 * (Goel, Sakallah: On symmetry and quantification, NFM 2021). Such statements, from all sizes so far, and the
 * properties themselves are *candidates*. Those that no rule can make false, for every size at once, are an
 * inductive invariant (Flanagan, Leino: Houdini, FME 2001); a solver for first-order logic decides that (smt/). A
 * property that follows from it holds for every size.
 *
 *   every.c    sizes, one after the other
 *   clause.c   clauses as statements about any elements
 *   proof.c    obligations, which candidates stay
 *   query.c    obligations as SMT-LIB files
 *   murphi.c   clauses as Murphi invariants
 *   answer.c   verdicts */
#ifndef NOETHER_ENGINE_EVERY_EVERY_H
#define NOETHER_ENGINE_EVERY_EVERY_H

#include "engine/engine.h"
#include "smt/machine.h"
#include "smt/solver.h"

enum { EVERY_MOST_VARIABLES = 8, EVERY_MOST_CANDIDATES = 400, EVERY_LARGEST = 5 };

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
    bool wants_cores;        /* files ask which candidates were needed */
};

/* -- clause.c -- */
void clause_free(struct every_clause *clause);
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

/* -- query.c -- */
/* That the rule keeps the invariant: a question for each candidate that it might not keep, `asked` its number. */
void query_step(const struct every_proof *proof, const struct every_obligation *obligation, struct text *out,
                uint32_t *asked, uint32_t *count);
/* That the property follows. Returns the number of questions. */
uint32_t query_property(const struct every_proof *proof, const struct property *property, struct text *out);
/* That no start state violates it, of which nothing is assumed. */
uint32_t query_start(const struct every_proof *proof, const struct property *property, struct text *out);

struct every_search {
    const struct layout *layout;
    const struct system *system;
    const struct engine_options *options;
    candidate_list candidates;
    struct smt_folder folder;
    bool *is_proved;      /* by property */
    bool is_varied;       /* sizes change */
    uint32_t tried;       /* the last size */
    uint32_t explored;    /* no violation with up to so many elements */
    uint32_t queries;     /* that the proof consists of */
    uint32_t kept;        /* candidates */
    double seconds;       /* for one question */
    struct text obstacle; /* why it is not proved; empty: nothing is known */
    struct text second;   /* what another solver says */
    struct result *violated;
    bool is_cut;
    double begin, begin_cpu;
};

/* every.c: are other sizes of that type explored, too? Else it has the size of the model. */
bool every_changes(const struct every_search *search, size_t sized);

/* -- houdini.c: removes what is not inductive, and finds out which properties follow -- */
void every_prove(struct every_search *search);
/* The invariant that was kept, without what nothing needs, as files; checked once more, and by another solver. */
void every_conclude(struct every_search *search);

/* -- answer.c -- */
struct result *every_answer(struct every_search *search);

#endif
