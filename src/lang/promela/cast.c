#include "lang/promela/cast.h"

#include "base/watch.h"
#include "lang/promela/walk.h"

enum { MANY = 20000 };

struct pml_casting {
    const struct pml_model *model;
    const struct pml_flow *flows;
    struct pml_cast *cast;
    uint32_t *created; /* by proctype: how many in all; MANY or more: nobody knows */
    uint32_t times;    /* how often the statement that is looked at is done */
    bool has_changed;
};

static uint32_t at_most_many(uint64_t number)
{
    return number < MANY ? (uint32_t)number : MANY;
}

static void note_run(void *user, struct pml_expr *expr, bool is_operated)
{
    struct pml_casting *casting = user;
    (void)is_operated;
    if (expr->kind == PML_RUN && casting->times) {
        uint32_t id = expr->proctype->id;
        casting->cast->has_runs = casting->cast->roles[id].is_run = true;
        casting->created[id] = at_most_many((uint64_t)casting->created[id] + casting->times);
    }
}

/* Can the statement be done again? As the first one of an option, it is done from where the choice stands. */
static bool is_repeated(const struct pml_flow *flow, uint32_t number)
{
    const struct pml_stmt *stmt = flow->nodes.items[number].stmt;
    bool found = pml_flow_is_cyclic(flow, number);
    for (uint32_t n = 0; n < flow->nodes.count && !found; n++) {
        const struct pml_node *node = &flow->nodes.items[n];
        for (size_t m = 0; m < node->moves.count && !found; m++)
            found = node->moves.items[m].stmt == stmt && pml_flow_is_cyclic(flow, n);
    }
    return found;
}

static void find_run(void *user, struct pml_expr *expr, bool is_operated)
{
    (void)is_operated;
    *(bool *)user |= expr->kind == PML_RUN;
}

static bool has_run(struct pml_stmt *stmt)
{
    bool found = false;
    pml_walk_stmt(&(struct pml_walk){.user = &found, .expr = find_run}, stmt);
    return found;
}

static void count_runs(struct pml_casting *casting, const struct pml_flow *flow, uint32_t runners)
{
    const struct pml_walk walk = {.user = casting, .expr = note_run};
    for (uint32_t n = 0; n < flow->nodes.count; n++) {
        const struct pml_node *node = &flow->nodes.items[n];
        bool is_here = node->stmt && node->stmt->kind != PML_IF && node->stmt->kind != PML_DO;
        if (!is_here || !runners || !has_run(node->stmt) || watch_is_up())
            continue;
        casting->times = is_repeated(flow, n) ? MANY : runners;
        pml_walk_stmt(&walk, node->stmt);
    }
}

/* How many processes of each proctype are started in all: again and again until that is settled. */
static void count_created(struct pml_casting *casting)
{
    const struct pml_model *model = casting->model;
    uint32_t *before = memory_zeroed(model->proctypes.count + 1, sizeof *before);
    for (int round = 0; round < 20; round++) {
        bool has_changed = false;
        for (size_t p = 0; p < model->proctypes.count; p++) {
            has_changed |= before[p] != casting->created[p];
            before[p] = casting->created[p];
            casting->created[p] = model->proctypes.items[p]->active;
        }
        if (round && !has_changed) {
            for (size_t p = 0; p < model->proctypes.count; p++)
                casting->created[p] = before[p];
            break;
        }
        for (size_t p = 0; p < model->proctypes.count; p++)
            count_runs(casting, &casting->flows[p], round < 16 || !before[p] ? before[p] : MANY);
    }
    free(before);
}

static void place_known(struct pml_casting *casting)
{
    struct pml_cast *cast = casting->cast;
    for (size_t p = 0; p < casting->model->proctypes.count; p++) {
        const struct pml_proctype *proctype = casting->model->proctypes.items[p];
        struct pml_role *role = &cast->roles[p];
        role->first = (uint32_t)cast->known.count;
        for (uint32_t i = 0; i < proctype->active && i < PML_MAX_UNSEEN; i++)
            VEC_PUSH(&cast->known, proctype);
        role->last = (uint32_t)cast->known.count - 1;
        if (!proctype->active) {
            role->first = 1;
            role->last = 0;
        }
        role->can_end = casting->flows[p].nodes.items[casting->flows[p].end].is_reached;
    }
}

/* Can processes of the proctype neither end nor start others? */
static bool is_steady(struct pml_casting *casting, const struct pml_proctype *proctype)
{
    struct pml_casting inner = *casting;
    bool has_runs = casting->cast->has_runs,
         *is_run = memory_zeroed(casting->model->proctypes.count + 1, sizeof *is_run);
    bool starts = false;
    for (size_t p = 0; p < casting->model->proctypes.count; p++) {
        is_run[p] = casting->cast->roles[p].is_run;
        casting->cast->roles[p].is_run = false;
    }
    inner.created = memory_zeroed(casting->model->proctypes.count + 1, sizeof *inner.created);
    count_runs(&inner, &casting->flows[proctype->id], 1);
    for (size_t p = 0; p < casting->model->proctypes.count; p++) {
        starts |= casting->cast->roles[p].is_run;
        casting->cast->roles[p].is_run = is_run[p];
    }
    casting->cast->has_runs = has_runs;
    free(inner.created);
    free(is_run);
    return !starts && !casting->cast->roles[proctype->id].can_end;
}

/* Follows init as long as it can do but one thing after the other: how many processes there are is known while nobody
 * can end or start others, or nobody else can move. */
static void place_runs(struct pml_casting *casting, const struct pml_flow *flow)
{
    struct pml_cast *cast = casting->cast;
    uint32_t at = flow->entry, count = (uint32_t)cast->known.count;
    bool is_steady_so_far = true, is_unbroken = true;
    for (uint32_t pid = 0; pid < count; pid++)
        is_steady_so_far &= cast->known.items[pid] == flow->proctype || is_steady(casting, cast->known.items[pid]);
    is_unbroken = is_steady_so_far && !casting->model->has_priorities; /* others may be more urgent, in atomic too */
    for (size_t steps = 0; steps < flow->nodes.count && flow->nodes.items[at].moves.count == 1; steps++) {
        const struct pml_move *move = &flow->nodes.items[at].moves.items[0];
        struct pml_expr *run = move->stmt ? pml_run_in(move->stmt->value) : NULL;
        bool can_wait = move->stmt && !pml_is_sure(move->stmt);
        is_unbroken &= !can_wait;
        if (!is_steady_so_far && !is_unbroken)
            break;
        if (run) {
            run->value = ++count;
            VEC_PUSH(&cast->placed, run);
            if (is_unbroken)
                cast->at_once = cast->placed.count;
            is_steady_so_far &= is_steady(casting, run->proctype);
        }
        is_unbroken &= move->keeps;
        at = move->target;
    }
}

/* The lowest pid that is not taken for ever. */
static uint32_t lowest_free(const struct pml_cast *cast)
{
    uint32_t lowest = 0;
    for (uint32_t pid = 0; pid < cast->known.count; pid++)
        if (!cast->roles[cast->known.items[pid]->id].can_end)
            lowest = pid + 1;
    return lowest;
}

/* Only its pid is known, and it is not in a part of init that is done again. */
static bool is_only_placed(struct pml_casting *casting, uint32_t proctype)
{
    uint32_t placed = 0;
    for (size_t i = 0; i < casting->cast->placed.count; i++)
        placed += casting->cast->placed.items[i]->proctype->id == proctype;
    return casting->created[proctype] == placed + casting->model->proctypes.items[proctype]->active;
}

static void place_known_run(struct pml_casting *casting, uint32_t proctype)
{
    struct pml_role *role = &casting->cast->roles[proctype];
    for (size_t i = 0; i < casting->cast->placed.count; i++) {
        const struct pml_expr *run = casting->cast->placed.items[i];
        uint32_t pid = (uint32_t)run->value - 1;
        if (run->proctype->id != proctype)
            continue;
        bool is_first = role->last < role->first;
        role->first = is_first || pid < role->first ? pid : role->first;
        role->last = is_first || pid > role->last ? pid : role->last;
    }
}

/* Is one above this pid that never ends, and is started before anybody could have ended? Init is there until it has
 * started all. */
static bool is_covered(const struct pml_cast *cast, uint32_t pid, bool is_init)
{
    bool found = false;
    for (size_t i = 0; i < cast->placed.count; i++)
        found |= cast->placed.items[i]->value - 1 > pid && (is_init || i < cast->at_once) &&
                 !cast->roles[cast->placed.items[i]->proctype->id].can_end;
    return found;
}

/* Of those whose pids are known. */
static bool are_covered(const struct pml_cast *cast, uint32_t proctype)
{
    bool all = true;
    for (uint32_t pid = 0; pid < cast->known.count; pid++)
        if (cast->known.items[pid]->id == proctype)
            all &= cast->known.items[pid]->is_init && is_covered(cast, pid, true);
    for (size_t i = 0; i < cast->placed.count; i++)
        if (cast->placed.items[i]->proctype->id == proctype)
            all &= i < cast->at_once && is_covered(cast, (uint32_t)cast->placed.items[i]->value - 1, false);
    return all;
}

static void place_run(struct pml_casting *casting, uint32_t lowest)
{
    struct pml_cast *cast = casting->cast;
    for (size_t p = 0; p < casting->model->proctypes.count; p++) {
        struct pml_role *role = &cast->roles[p];
        if (role->is_run && is_only_placed(casting, (uint32_t)p)) {
            place_known_run(casting, (uint32_t)p);
        } else if (role->is_run) {
            uint32_t first = lowest ? lowest : 1; /* whoever starts it is below it */
            role->first = role->last < role->first || first < role->first ? first : role->first;
            role->last = cast->count - 1;
        }
        role->can_die = role->can_end && !cast->keeps_dead && role->first <= role->last &&
                        (cast->dies_anyhow || role->last >= lowest) &&
                        !(!cast->dies_anyhow && (!role->is_run || is_only_placed(casting, (uint32_t)p)) &&
                          are_covered(cast, (uint32_t)p));
        cast->has_deaths |= role->can_die;
        role->is_fixed = !role->can_die && (!role->is_run || is_only_placed(casting, (uint32_t)p));
    }
}

static void note_count(void *user, struct pml_expr *expr, bool is_operated)
{
    (void)is_operated;
    *(bool *)user |= expr->kind == PML_COUNT;
}

/* Is it asked for, or does somebody die, or start others under pids that are not known? */
static bool needs_count(struct pml_casting *casting, struct pml_model *model)
{
    const struct pml_walk walk = {.user = &casting->cast->reads_count, .expr = note_count};
    pml_walk_model(&walk, model);
    bool is_needed = (casting->cast->has_deaths && !casting->cast->dies_anyhow) || casting->cast->reads_count;
    for (uint32_t p = 0; p < model->proctypes.count; p++)
        is_needed |= casting->cast->roles[p].is_run && !is_only_placed(casting, p);
    return is_needed;
}

/* A state has room for all, so there is little unless more is asked for. */
static uint32_t room_for(uint32_t known, uint32_t asked)
{
    uint32_t room = !asked ? known + PML_ROOM : asked > known ? asked : known + 1;
    return room < PML_MAX_PIDS ? room : PML_MAX_PIDS;
}

static bool are_all_placed(struct pml_casting *casting)
{
    bool all = true;
    for (uint32_t p = 0; p < casting->model->proctypes.count; p++)
        all &= !casting->cast->roles[p].is_run || is_only_placed(casting, p);
    return all;
}

static void note_pid(void *user, struct pml_expr *expr, bool is_operated)
{
    (void)is_operated;
    switch (expr->kind) {
    case PML_SELF:
    case PML_COUNT:
    case PML_LAST:
    case PML_RUN:
    case PML_AT:
    case PML_REMOTE:
    case PML_PRIORITY:
    case PML_ENABLED:
        *(bool *)user = true;
        break;
    default:
        break;
    }
}

/* A pid is a byte; where nothing can tell, there may be more processes than SPIN has. */
static uint32_t most_processes(struct pml_model *model)
{
    bool is_seen = false;
    const struct pml_walk walk = {.user = &is_seen, .expr = note_pid};
    pml_walk_model(&walk, model);
    return is_seen ? PML_MAX_PIDS : PML_MAX_UNSEEN;
}

struct pml_cast pml_cast_make(struct pml_model *model, const struct pml_flow *flows, const struct pml_asked *asked,
                              struct diagnostics *diagnostics)
{
    struct pml_cast cast = {.is_bounded = true, .dies_anyhow = asked->dies_anyhow, .keeps_dead = asked->keeps_dead};
    struct pml_casting casting = {.model = model, .flows = flows, .cast = &cast};
    uint32_t total = 0;
    cast.roles = memory_zeroed(model->proctypes.count + 1, sizeof *cast.roles);
    casting.created = memory_zeroed(model->proctypes.count + 1, sizeof *casting.created);
    count_created(&casting);
    place_known(&casting);
    for (size_t p = 0; p < model->proctypes.count; p++)
        if (model->proctypes.items[p]->is_init)
            place_runs(&casting, &flows[p]);
    for (size_t p = 0; p < model->proctypes.count; p++)
        total = at_most_many((uint64_t)total + casting.created[p]);
    cast.count = total;
    uint32_t most = most_processes(model);
    if (total > most || total == MANY) {
        cast.count = room_for((uint32_t)cast.known.count, asked->processes);
        cast.is_bounded = false;
    }
    if (cast.known.count >= most) {
        diag_error(diagnostics, cast.known.items[0]->span, "there can be at most %u processes", most);
        diag_hint(diagnostics, most == PML_MAX_PIDS ? "more only where no pid can be seen: without run, _pid, _nr_pr"
                                                    : "fewer show what more do");
    }
    cast.is_placed = are_all_placed(&casting);
    if (cast.dies_anyhow && !cast.is_placed) {
        diag_error(diagnostics, model->proctypes.items[0]->span,
                   "processes are started under pids that are not known before: they cannot end in any order");
        diag_hint(diagnostics, "leave out --process-death any");
    }
    place_run(&casting, lowest_free(&cast));
    cast.needs_count = needs_count(&casting, model);
    free(casting.created);
    return cast;
}

void pml_cast_free(struct pml_cast *cast)
{
    VEC_FREE(&cast->known);
    VEC_FREE(&cast->placed);
    free(cast->roles);
}
