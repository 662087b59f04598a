/* IC3 (Bradley: SAT-based model checking without unrolling, VMCAI 2011; Een, Mishchenko, Brayton: Efficient
 * implementation of property directed reachability, FMCAD 2011).
 *
 * A cube is a set of literals of state variables: states. A level is a set of clauses (negated cubes); what holds after
 * at most i steps is contained in F_i, the clauses of the levels from i on. F_0 is the start states. An obligation is a
 * cube of states from which a target is certainly reached, by known steps, and which must be excluded from a level.
 *
 *   ic3.c             levels, the main loop
 *   ic3_cube.c        cubes
 *   ic3_ask.c         questions to the solver
 *   ic3_block.c       obligations
 *   ic3_generalise.c  fewer literals, more states excluded
 *   ic3_orbit.c       clauses with other names
 *   ic3_certify.c     the result, checked again
 *   ic3_tell.c        the result, for others */
#ifndef NOETHER_ENGINE_SAT_IC3_H
#define NOETHER_ENGINE_SAT_IC3_H

#include "engine/sat/search.h"

struct cube {
    bit *literals; /* sorted by variable; on the heap */
    uint32_t count;
    uint32_t orbit; /* of a clause: those with the same number are images of each other */
};
typedef VEC(struct cube) cube_list;

struct ic3_level {
    int active; /* the literal that turns its clauses on */
    cube_list cubes;
};

struct ic3_obligation {
    struct cube cube;
    uint32_t level;
    uint32_t step; /* of the circuit; leads to the next one's cube */
    size_t next;   /* SIZE_MAX: the cube is in the target */
    struct sat_target *target;
};

struct sat_ic3 {
    struct sat_search *search;
    struct solver *solver;
    struct cnf cnf;
    int stepping;                 /* turns on that a step is taken */
    VEC(struct ic3_level) levels; /* the first stands for the start states, and has no clauses */
    VEC(struct ic3_obligation) obligations;
    VEC(size_t) queue;
    bool *inputs; /* of the circuit: room for the values of one state and step */
    bool *marked; /* by input */
    bool is_cut;
    bool is_symmetric; /* clauses are added with all their images */
    uint32_t orbits;   /* so many were added */
    uint32_t proved;   /* the clauses from this level on are the invariant */
};

static inline uint32_t ic3_top(const struct sat_ic3 *ic3)
{
    return (uint32_t)ic3->levels.count - 1;
}

/* -- ic3_cube.c -- */
struct cube cube_copy(const struct cube *cube);
void cube_free(struct cube *cube);
void cubes_free(cube_list *cubes);
/* Without the literal at this place. */
struct cube cube_without(const struct cube *cube, uint32_t place);
/* Is every state of the second in the first? */
bool cube_contains(const struct cube *cube, const struct cube *smaller);
/* A start state in the cube: its row; SIZE_MAX: none. */
size_t cube_start(const struct sat_search *search, const struct cube *cube);
/* The state variables that are marked, with their values. */
struct cube cube_marked(const struct sat_ic3 *ic3);

/* -- ic3_ask.c -- */
int ic3_literal(struct sat_ic3 *ic3, bit f);
/* Is there a state in F_level, not in the cube, from which a step leads into it? SOLVER_UNSATISFIABLE: no, and *core
 * (if not NULL) is a cube with some of its literals, of which that is true, too, and without start states. */
enum solver_answer ic3_ask_step(struct sat_ic3 *ic3, uint32_t level, const struct cube *cube, struct cube *core);
/* After SOLVER_SATISFIABLE: the states from which the step found leads into the cube, as many as are easily seen. */
struct cube ic3_predecessor(struct sat_ic3 *ic3, const struct cube *cube, uint32_t *step);
/* A state in F_level in which an open target is true. */
enum solver_answer ic3_ask_target(struct sat_ic3 *ic3, uint32_t level, struct sat_target **target);
struct cube ic3_target_cube(struct sat_ic3 *ic3, const struct sat_target *target);

/* -- ic3_generalise.c: takes the cube, which no step from F_level leads into -- */
struct cube ic3_generalise(struct sat_ic3 *ic3, uint32_t level, struct cube cube);

/* -- ic3.c -- */
/* Takes the cube: it, and all its images, are excluded from this level and those before. */
void ic3_add(struct sat_ic3 *ic3, uint32_t level, struct cube cube);

/* -- ic3_block.c -- */
void ic3_oblige(struct sat_ic3 *ic3, struct ic3_obligation obligation);
/* Until there are no obligations. SAT_FOUND: a run was reported. */
enum sat_answer ic3_block(struct sat_ic3 *ic3, bool (*pause)(struct sat_search *search));
void ic3_forget_obligations(struct sat_ic3 *ic3);

/* -- ic3_orbit.c: all images of the cube, itself first. False: these are not all, since there are too many, or some
 * image is none -- */
bool ic3_orbit(const struct sat_ic3 *ic3, const struct cube *cube, cube_list *orbit);

/* -- ic3_certify.c: are the clauses from this level on an inductive invariant that excludes all open targets? -- */
bool ic3_certify(struct sat_ic3 *ic3, uint32_t level);

#endif
