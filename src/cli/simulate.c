#include "cli/simulate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/line.h"
#include "cli/recording.h"

/* A walk that has gone on for so long begins again: what is to be seen is mostly seen by then, and memory is finite. */
enum { WALK_STEPS = 10000 };

/* Reason: the heap's, as in a result. */
struct property_result simulate_claim(struct simulation *simulation)
{
    struct property_result claim = {.trace = simulation->session->trace, .verdict = VERDICT_UNKNOWN};
    struct text reason = {0};
    claim.property = session_violated(simulation->session, &claim.fault);
    if (claim.property)
        claim.verdict = VERDICT_VIOLATED;
    if (claim.fault.kind != FAULT_NONE)
        fault_print(&claim.fault, &reason);
    claim.reason = reason.chars;
    return claim;
}

bool simulate_save(struct simulation *simulation, const char *path)
{
    struct property_result claim = simulate_claim(simulation);
    if (!claim.property)
        claim.property = simulation->session->model->system->properties.items[SYSTEM_RUNTIME];
    bool ok = recording_write(simulation->options, &claim, path);
    free(claim.reason);
    return ok;
}

/* Rules that no walk has taken are worth a look: their guards may be wrong. */
static void list_never_taken(const struct system *system, const bool *taken, struct text *out)
{
    size_t missing = 0;
    for (size_t i = 0; i < system->rules.count; i++)
        missing += !taken[i];
    if (!missing)
        return;
    text_format(out, "never taken: %zu of %zu rules\n", missing, system->rules.count);
    for (size_t i = 0; i < system->rules.count; i++)
        if (!taken[i]) {
            text_format(out, "  %s", system->rules.items[i]->name);
            if (system->language->outcomes_share_names)
                text_format(out, " (line %u)", system->rules.items[i]->span.line);
            text_char(out, '\n');
        }
}

static int report_walk(struct simulation *simulation, uint64_t steps, uint64_t walks, const bool *taken)
{
    const char *path = simulation->session->model->system->name, *file = simulation->options->values[OPTION_TRACE];
    struct property_result claim = simulate_claim(simulation);
    struct text text = {0};
    const char *seed = simulation->options->values[OPTION_SEED];
    if (claim.property) {
        report_text_evidence(&claim, &simulation->style, &text);
        text_format(&text, "\n%s: violated, found by walk %" PRIu64 " after %" PRIu64 " step%s in all (seed %s)\n",
                    path, walks, steps, steps == 1 ? "" : "s", seed);
    } else {
        list_never_taken(simulation->session->model->system, taken, &text);
        text_format(&text,
                    "%s: nothing went wrong in %" PRIu64 " step%s, %" PRIu64 " walk%s (seed %s); this is no proof\n",
                    path, steps, steps == 1 ? "" : "s", walks, walks == 1 ? "" : "s", seed);
    }
    int code = cli_print(&text, claim.property ? EXIT_VIOLATED : EXIT_HOLDS);
    if (file && claim.property && !simulate_save(simulation, file))
        code = EXIT_USAGE;
    else if (file && !claim.property)
        cli_fail("there is no trace to write to %s", file);
    free(claim.reason);
    text_free(&text);
    return code;
}

/* Random steps until something is wrong; a walk that cannot go on begins again. */
static int walk(struct simulation *simulation, uint64_t wanted)
{
    struct session *session = simulation->session;
    bool *taken = memory_zeroed(session->model->system->rules.count + 1, sizeof *taken);
    uint64_t steps = 0, walks = 1;
    struct fault fault;
    if (!session_take_any(session)) {
        free(taken);
        if (watch_is_up())
            return interrupt_code(simulation->options, EXIT_HOLDS);
        return cli_fail("the model has no start state that its assumptions allow");
    }
    while (steps < wanted && !watch_is_up() && !session_violated(session, &fault)) {
        if (session->trace->count > WALK_STEPS || !session_take_any(session)) {
            steps += session->trace->count == 1; /* where nothing ever moves the walks must end, too */
            session_undo(session, session->trace->count);
            session_take_any(session);
            walks++;
            continue;
        }
        if (watch_is_up())
            break;
        taken[session->trace->steps[session->trace->count - 1].rule->id] = true;
        steps++;
    }
    int code = report_walk(simulation, steps, walks, taken);
    free(taken);
    return code ? code : interrupt_code(simulation->options, code);
}

/* On a terminal Ctrl-C ends the command, and not the session; what the tabulator completes is known. */
static void begin_talk(const struct simulation *simulation)
{
    if (!line_is_asked())
        return;
    const struct system *system = simulation->session->model->system;
    interrupt_begin_talk();
    simulate_each_command(line_add_word);
    for (size_t i = 0; i < system->globals.count; i++)
        if (!system_is_internal(system, system->globals.items[i]))
            line_add_word(system->globals.items[i]->name);
    for (size_t i = 0; i < system->rules.count; i++)
        line_add_word(system->rules.items[i]->name);
}

static bool obey(struct simulation *simulation, char *line)
{
    struct watch watch;
    if (!line_is_asked())
        return simulate_obey(simulation, line);
    watch_begin(&watch, 0, interrupt_talk_flag());
    bool is_done = simulate_obey(simulation, line);
    watch_end(&watch);
    if (interrupt_take_talk())
        cli_note("interrupted");
    return is_done;
}

static int converse(struct simulation *simulation, const struct recording *recording)
{
    char *line;
    if (recording && !simulate_adopt(simulation, recording))
        return EXIT_USAGE;
    if (!recording && simulation->session->choices.count == 1)
        session_take(simulation->session, 0); /* nothing to choose */
    if (!recording)
        simulate_show(simulation, 1);
    begin_talk(simulation);
    while (!simulation->is_over) {
        line = line_read("noether> ");
        if (!line && line_is_asked() && interrupt_take_talk()) {
            fputc('\n', stdout); /* Ctrl-C: another line */
            continue;
        }
        if (!line)
            break;
        simulation->has_failed |= !obey(simulation, line);
        free(line);
    }
    line_forget_words();
    struct fault fault;
    if (simulation->has_failed && !line_is_asked())
        return EXIT_USAGE;
    return session_violated(simulation->session, &fault) ? EXIT_VIOLATED : EXIT_HOLDS;
}

static int simulate(const struct options *options, const struct recording *recording, const struct model *model)
{
    struct simulation simulation = {
        .options = options,
        .session = session_create(model, (enum deadlock_mode)options_choice(options, OPTION_DEADLOCK),
                                  options_number(options, OPTION_SEED)),
        .style = {.colour = cli_wants_colour(STDOUT_FILENO),
                  .full_states = options->values[OPTION_FULL_STATES] != NULL},
    };
    int code = options->values[OPTION_RANDOM] ? walk(&simulation, options_number(options, OPTION_RANDOM))
                                              : converse(&simulation, recording);
    for (size_t i = 0; i < simulation.watches.count; i++)
        inquiry_destroy(simulation.watches.items[i]);
    VEC_FREE(&simulation.watches);
    session_destroy(simulation.session);
    return code;
}

int command_simulate(const struct options *options)
{
    const char *trace = options->values[OPTION_TRACE], *load = options->values[OPTION_LOAD];
    if (trace && !options->values[OPTION_RANDOM])
        return cli_fail("--trace goes with --random; while stepping, the command save writes the run");
    if (load && options->values[OPTION_RANDOM])
        return cli_fail("--load is for stepping; --random walks begin at the start");
    if (trace && !cli_can_write(trace, options))
        return EXIT_USAGE;
    if (load)
        return recording_with_model(options, load, simulate);
    int code;
    struct model *model = cli_load(options, options->defines.items, options->defines.count, &code);
    code = model ? simulate(options, NULL, model) : code;
    model_destroy(model);
    return code;
}
