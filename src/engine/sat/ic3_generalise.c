/* Literals are dropped one by one, as long as no step from the level leads into the cube (Bradley's "down"). Where the
 * cube without a literal is reached from a state that can itself be excluded, that is done first (Hassan, Bradley,
 * Somenzi: Better generalization in IC3, FMCAD 2013: "counterexamples to generalization"). */
#include "engine/sat/ic3.h"

enum { GENERALISE_CTGS = 3, GENERALISE_DEPTH = 1, GENERALISE_FAILURES = 12 };

static struct cube generalise_from(struct sat_ic3 *ic3, uint32_t level, struct cube cube, uint32_t depth);

/* The state found is in the way: excludes it, if no step from the level before leads there. */
static bool generalise_clear(struct sat_ic3 *ic3, uint32_t level, const struct cube *tried, uint32_t depth)
{
    uint32_t step;
    struct cube core, way = ic3_predecessor(ic3, tried, &step);
    bool is_clear = false;
    if (level > 1 && cube_start(ic3->search, &way) == SIZE_MAX &&
        ic3_ask_step(ic3, level - 1, &way, &core) == SOLVER_UNSATISFIABLE) {
        ic3_add(ic3, level, generalise_from(ic3, level - 1, core, depth + 1));
        is_clear = true;
    }
    cube_free(&way);
    return is_clear;
}

/* Without the literal; true: *cube is smaller. */
static bool generalise_drop(struct sat_ic3 *ic3, uint32_t level, struct cube *cube, uint32_t place, uint32_t depth)
{
    struct cube core, tried = cube_without(cube, place);
    bool is_dropped = false;
    for (uint32_t ctgs = 0; cube_start(ic3->search, &tried) == SIZE_MAX; ctgs++) {
        enum solver_answer answer = ic3_ask_step(ic3, level, &tried, &core);
        if (answer == SOLVER_UNSATISFIABLE) {
            cube_free(cube);
            *cube = core;
            is_dropped = true;
            break;
        }
        if (answer != SOLVER_SATISFIABLE || depth >= GENERALISE_DEPTH || ctgs >= GENERALISE_CTGS ||
            !generalise_clear(ic3, level, &tried, depth))
            break;
    }
    cube_free(&tried);
    return is_dropped;
}

static struct cube generalise_from(struct sat_ic3 *ic3, uint32_t level, struct cube cube, uint32_t depth)
{
    uint32_t failures = 0;
    for (uint32_t place = 0; place < cube.count && cube.count > 1 && !ic3->is_cut && failures < GENERALISE_FAILURES;) {
        if (generalise_drop(ic3, level, &cube, place, depth)) {
            failures = 0; /* the core may have lost more than one: go on at the same place */
        } else {
            failures++;
            place++;
        }
    }
    return cube;
}

struct cube ic3_generalise(struct sat_ic3 *ic3, uint32_t level, struct cube cube)
{
    return generalise_from(ic3, level, cube, 0);
}
