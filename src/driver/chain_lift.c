#include "driver/chain_lift.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "ir/chain.h"
#include "result/chance.h"

enum { NO_CELL = UINT32_MAX, LONGEST_RUN = 100000 };
static const double SAME_CHANCE = 1e-9;

/* How a state of the model is counted. */
struct image {
    const struct layout *layout, *counted;
    const struct prism_reduced *reduced;
    uint32_t **homes;        /* by family, module and variable: its cell in the model */
    uint32_t *counter_cells; /* by counter */
    uint32_t *kept;          /* by cell of the counted model: that of the model; NO_CELL: a counter */
};

static uint32_t find_cell(const struct layout *layout, const char *name)
{
    struct text text = {0};
    uint32_t cell = 0;
    for (; cell < layout->cell_count; cell++) {
        text_clear(&text);
        layout_cell_name(layout, cell, &text);
        if (!strcmp(text_chars(&text), name))
            break;
    }
    text_free(&text);
    return cell < layout->cell_count ? cell : NO_CELL;
}

static bool find_kept(struct image *image)
{
    struct text name = {0};
    bool is_good = true;
    for (uint32_t cell = 0; cell < image->counted->cell_count; cell++) {
        bool is_counter = false;
        for (uint32_t i = 0; i < image->reduced->counters; i++)
            is_counter |= image->counter_cells[i] == cell;
        text_clear(&name);
        layout_cell_name(image->counted, cell, &name);
        image->kept[cell] = is_counter ? NO_CELL : find_cell(image->layout, text_chars(&name));
        is_good &= is_counter || image->kept[cell] != NO_CELL;
    }
    text_free(&name);
    return is_good;
}

static bool image_open(struct image *image)
{
    const struct prism_reduced *reduced = image->reduced;
    bool is_good = true;
    image->homes = memory_zeroed(reduced->family_count + 1, sizeof *image->homes);
    image->counter_cells = memory_zeroed(reduced->counters + 1, sizeof *image->counter_cells);
    image->kept = memory_zeroed(image->counted->cell_count + 1, sizeof *image->kept);
    for (uint32_t i = 0; i < reduced->counters; i++) {
        image->counter_cells[i] = find_cell(image->counted, reduced->names[i]);
        is_good &= image->counter_cells[i] != NO_CELL;
    }
    for (uint32_t f = 0; f < reduced->family_count; f++) {
        uint32_t count = reduced->family_modules[f] * reduced->family_variables[f];
        image->homes[f] = memory_zeroed(count + 1, sizeof **image->homes);
        for (uint32_t i = 0; i < count; i++) {
            image->homes[f][i] = find_cell(image->layout, reduced->variable_names[f][i]);
            is_good &= image->homes[f][i] != NO_CELL;
        }
    }
    return is_good && find_kept(image);
}

static void image_close(struct image *image)
{
    for (uint32_t f = 0; f < image->reduced->family_count; f++)
        free(image->homes[f]);
    free(image->homes);
    free(image->counter_cells);
    free(image->kept);
}

/* The local state of a module, as the number of its counter in the family; or their number. */
static uint32_t location_of(const struct image *image, uint32_t family, uint32_t module, const int32_t *cells)
{
    const struct prism_reduced *reduced = image->reduced;
    uint32_t variables = reduced->family_variables[family], location = 0;
    const uint32_t *homes = &image->homes[family][module * variables];
    for (; location < reduced->family_counters[family]; location++) {
        const int64_t *values = &reduced->local_values[family][location * variables];
        uint32_t same = 0;
        while (same < variables && cells[homes[same]] == values[same])
            same++;
        if (same == variables)
            break;
    }
    return location;
}

/* Is the state of the model counted as that one? `room`: for a counted state. */
static bool image_is(const struct image *image, const int32_t *cells, const int32_t *wanted, int32_t *room)
{
    const struct prism_reduced *reduced = image->reduced;
    uint32_t first = 0;
    for (uint32_t cell = 0; cell < image->counted->cell_count; cell++)
        room[cell] = image->kept[cell] == NO_CELL ? 0 : cells[image->kept[cell]];
    for (uint32_t f = 0; f < reduced->family_count; first += reduced->family_counters[f++])
        for (uint32_t m = 0; m < reduced->family_modules[f]; m++) {
            uint32_t location = location_of(image, f, m, cells);
            if (location == reduced->family_counters[f])
                return false;
            room[image->counter_cells[first + location]]++;
        }
    return !memcmp(room, wanted, image->counted->cell_count * sizeof *room);
}

/* --- the run --- */

struct lifting {
    struct image image;
    struct stepper *stepper;
    struct chances *chances;
    int32_t *room, *cells; /* cells: of the successor that is taken */
    struct trace *trace;
};

/* The successors that one choice has; `first` is where it leads to the wanted numbers. */
struct lift_candidate {
    const struct choice *choice;
    uint64_t way, taken_instance;
    const struct rule *rule;
    double chance;
};

static void keep_step(struct lifting *all, const struct step *step, double weight, struct lift_candidate *candidate)
{
    if (!candidate->rule) {
        candidate->rule = step->rule;
        candidate->taken_instance = step->instance;
        memcpy(all->cells, step->cells, all->image.layout->cell_count * sizeof *all->cells);
    }
    candidate->chance += weight;
}

static bool fits(const struct lifting *all, const struct lift_candidate *candidate, const double *chance)
{
    bool is_mdp = all->image.layout->system->chain->kind == CHAIN_MDP;
    return candidate->rule && (!chance || !is_mdp || fabs(candidate->chance - *chance) <= SAME_CHANCE);
}

/* Choice by choice, as the stepper enumerates them. */
static bool take_step(struct lifting *all, const int32_t *wanted, const double *chance)
{
    const struct chain *chain = all->image.layout->system->chain;
    struct lift_candidate candidate = {0};
    struct step step;
    enum step_outcome outcome;
    const int32_t *source = all->trace->steps[all->trace->count - 1].cells;
    bool is_found = false;
    chances_load(all->chances, source);
    stepper_begin_successors(all->stepper, source);
    while (!is_found && (outcome = stepper_next(all->stepper, &step)) != STEP_END) {
        double weight = chances_weight(all->chances, step.rule, step.instance);
        const struct choice *choice = &chain->choices[chain_choice(chain, step.rule)];
        if (outcome != STEP_STATE || weight <= 0)
            continue;
        uint64_t way = chain_way(step.rule, step.instance);
        if (choice != candidate.choice || way != candidate.way) {
            is_found = fits(all, &candidate, chance);
            if (is_found)
                break;
            candidate = (struct lift_candidate){.choice = choice, .way = way};
        }
        if (image_is(&all->image, step.cells, wanted, all->room))
            keep_step(all, &step, weight, &candidate);
    }
    if (!is_found && !fits(all, &candidate, chance))
        return false;
    trace_push(all->trace, candidate.rule, candidate.taken_instance, all->cells, NULL);
    return true;
}

static bool take_start(struct lifting *all, const int32_t *wanted)
{
    struct step step;
    enum step_outcome outcome;
    stepper_begin_starts(all->stepper);
    while ((outcome = stepper_next(all->stepper, &step)) != STEP_END)
        if (outcome == STEP_STATE && image_is(&all->image, step.cells, wanted, all->room)) {
            trace_push(all->trace, step.rule, step.instance, step.cells, NULL);
            return true;
        }
    return false;
}

/* The run as it is, once. */
static bool take_run(struct lifting *all, const struct trace *run, const double *chances)
{
    if (!run->steps[0].cells || !take_start(all, run->steps[0].cells))
        return false;
    for (uint32_t i = 1; i < run->count; i++)
        if (!run->steps[i].cells || !take_step(all, run->steps[i].cells, chances ? &chances[i] : NULL))
            return false;
    return true;
}

/* Was the run in the state it is in now before, whenever the numbers were those of the loop? */
static bool find_loop(const struct lifting *all, uint32_t first, uint32_t length, uint32_t *at)
{
    const struct trace *trace = all->trace;
    size_t size = all->image.layout->cell_count * sizeof(int32_t);
    const int32_t *last = trace->steps[trace->count - 1].cells;
    for (*at = first; *at + length < trace->count; *at += length)
        if (!memcmp(trace->steps[*at].cells, last, size))
            return true;
    return false;
}

/* A loop of numbers is gone round until the modules are back where they were. */
static bool close_loop(struct lifting *all, const struct trace *run)
{
    uint32_t at;
    while (!find_loop(all, run->loop, run->count - 1 - run->loop, &at)) {
        if (all->trace->count > LONGEST_RUN)
            return false;
        for (uint32_t i = run->loop + 1; i < run->count; i++)
            if (!take_step(all, run->steps[i].cells, NULL))
                return false;
    }
    all->trace->has_loop = true;
    all->trace->loop = at;
    return true;
}

struct trace *chain_lift(const struct layout *layout, const struct prism_reduced *reduced, const struct trace *run,
                         const double *chances)
{
    struct lifting all = {.image = {.layout = layout, .counted = run->layout, .reduced = reduced}};
    if (!run->count || (run->has_loop && run->loop + 1 >= run->count))
        return NULL;
    bool is_good = image_open(&all.image);
    all.stepper = stepper_create_vm(layout->system, layout);
    all.chances = chances_create(layout);
    all.room = memory_zeroed(run->layout->cell_count + 1, sizeof *all.room);
    all.cells = memory_zeroed(layout->cell_count + 1, sizeof *all.cells);
    all.trace = trace_create(layout->system, layout);
    is_good = is_good && take_run(&all, run, chances) && (!run->has_loop || close_loop(&all, run));
    if (!is_good) {
        trace_destroy(all.trace);
        all.trace = NULL;
    }
    image_close(&all.image);
    stepper_destroy(all.stepper);
    chances_destroy(all.chances);
    free(all.room);
    free(all.cells);
    return all.trace;
}
