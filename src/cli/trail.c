/* Trails of SPIN: a run as pan writes it, a line "depth:process:statement" for each step. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/printable.h"
#include "cli/recording.h"
#include "ir/face.h"
#include "result/follow.h"

/* Lines whose depth is negative say something about the run. */
enum { TRAIL_CYCLE = -1, TRAIL_CLAIM = -2, TRAIL_MERGED = -4, TRAIL_LAST_PERMUTED = -8 };

struct trail {
    const char *path;
    VEC(struct follow_event) events;
    struct follow_run run;
    uint32_t claim; /* which: SPIN counts proctypes and claims together */
    bool has_claim; /* it is the process with the number 0, and the others come behind it */
};

/* False after a message. */
static bool read_line(struct trail *trail, const char *line, size_t number)
{
    long depth, process, statement;
    int length = 0;
    if (sscanf(line, "%ld:%ld:%ld%n", &depth, &process, &statement, &length) != 3 ||
        line[length + strspn(line + length, " \r")]) {
        cli_fail("%s:%zu: this is no line of a trail: step:process:statement", trail->path, number);
        return false;
    }
    if (depth < TRAIL_MERGED && depth >= TRAIL_LAST_PERMUTED) {
        cli_fail("%s:%zu: a search with permuted processes or transitions: only pan -r can replay its trails",
                 trail->path, number);
        return false;
    }
    if (depth == TRAIL_CLAIM) {
        trail->has_claim = true;
        trail->claim = process > 0 ? (uint32_t)process : 0;
    }
    trail->run.is_merged |= depth == TRAIL_MERGED;
    if (depth == TRAIL_CYCLE) {
        trail->run.has_loop = true;
        trail->run.loop = trail->events.count;
    }
    bool is_claim = trail->has_claim && process == 0;
    if (depth < 0 || is_claim)
        return true;
    if (process < 0 || statement < 0 || process > 255) {
        cli_fail("%s:%zu: there is no such process or statement", trail->path, number);
        return false;
    }
    VEC_PUSH(&trail->events, ((struct follow_event){(uint32_t)process - trail->has_claim, (uint32_t)statement}));
    return true;
}

static bool read_trail(struct trail *trail)
{
    const char *reason;
    struct source *source = source_read(trail->path, &reason);
    bool is_good = source != NULL;
    if (!source)
        cli_fail("cannot read %s: %s", trail->path, reason);
    size_t number = 1;
    for (const char *line = source ? source->text : ""; *line && is_good; number++) {
        size_t length = strcspn(line, "\n");
        char *copy = memory_alloc(length + 1);
        memcpy(copy, line, length);
        copy[length] = '\0';
        is_good = !*copy || read_line(trail, copy, number);
        free(copy);
        line += length + (line[length] == '\n');
    }
    source_free(source);
    trail->run.events = trail->events.items;
    trail->run.count = trail->events.count;
    trail->run.has_loop &= trail->run.loop < trail->run.count; /* else its last state is repeated: it ends there */
    trail->run.comes_to_rest = !trail->has_claim;
    return is_good;
}

/* With a claim, or with a cycle, the run is about a formula. */
static bool may_be_shown(const struct trail *trail, const struct trace *trace, const struct property *property)
{
    const struct trace_step *last = &trace->steps[trace->count - 1];
    if (!last->cells)
        return last->fault.property == property;
    return property->kind == (trail->has_claim || trace->has_loop ? PROPERTY_LTL : PROPERTY_DEADLOCK);
}

/* What the run shows, the claim of the trail if it shows several; NULL: nothing that is checked here. */
static const struct property *find_violated(const struct model *model, const struct trail *trail, struct trace *trace)
{
    const struct system *system = model->system;
    const struct property *found = NULL;
    uint32_t claim = system->face->kind_count; /* the number of the next formula */
    struct evidence_mode mode = {.deadlock = deadlock_mode_of(system, DEADLOCK_STUTTERING)};
    for (size_t i = 0; i < system->properties.count; i++) {
        const struct property *property = system->properties.items[i];
        bool has_loop = trace->has_loop, is_meant = property->kind == PROPERTY_LTL && claim++ == trail->claim;
        if (!may_be_shown(trail, trace, property))
            continue;
        char *wrong = check_evidence(trace, property, VERDICT_VIOLATED, &mode);
        trace->has_loop = has_loop;
        if (!wrong && (!found || is_meant))
            found = property;
        free(wrong);
    }
    return found;
}

static void say_end(const struct trail *trail, const struct property_result *claim, struct text *text)
{
    text_printable(text, trail->path, strlen(trail->path));
    text_format(text, ": replays, %zu line%s, %u step%s: ", trail->events.count, trail->events.count == 1 ? "" : "s",
                trace_number(claim->trace, claim->trace->count - 1), claim->trace->count == 2 ? "" : "s");
    if (claim->property)
        report_text_claim(claim, text);
    else
        text_append(text, "it violates nothing that is checked here");
    text_char(text, '\n');
}

static int say(const struct options *options, const struct trail *trail, struct property_result *claim)
{
    struct text text = {0};
    struct report_style style = {.colour = cli_wants_colour(STDOUT_FILENO),
                                 .full_states = options->values[OPTION_FULL_STATES] != NULL};
    if (claim->property) {
        claim->fault = check_last_fault(claim->trace, claim->property);
        report_text_evidence(claim, &style, &text);
    } else {
        report_text_trace(claim->trace, &style, &text);
    }
    text_char(&text, '\n');
    say_end(trail, claim, &text);
    int code = cli_print(&text, claim->property ? EXIT_VIOLATED : EXIT_UNKNOWN);
    text_free(&text);
    return code;
}

static int replay_trail(const struct options *options, const struct model *model, const struct trail *trail)
{
    struct text message = {0};
    if (!model->system->face)
        return cli_fail("--trail is for Promela models");
    struct property_result claim = {.verdict = VERDICT_VIOLATED};
    size_t left;
    claim.trace = trace_follow(model->layout, &trail->run, &left, &message);
    int code = EXIT_USAGE;
    /* A breadth-first search of SPIN writes a last line for a step that was tried and not taken. */
    if (!message.length || left == 1)
        claim.property = find_violated(model, trail, claim.trace);
    if (message.length && !claim.property) {
        cli_fail("%s does not fit the model: after %u steps, %s", trail->path,
                 trace_number(claim.trace, claim.trace->count - 1), message.chars);
        cli_fail("was it written for this text, with the same -D?");
    } else {
        claim.verdict = claim.property ? VERDICT_VIOLATED : VERDICT_UNKNOWN;
        code = say(options, trail, &claim);
        const struct property *runtime = model->system->properties.items[SYSTEM_RUNTIME];
        claim.property = claim.property ? claim.property : runtime;
        if (options->values[OPTION_TRACE] && !recording_write(options, &claim, options->values[OPTION_TRACE]))
            code = EXIT_USAGE;
    }
    trace_destroy(claim.trace);
    text_free(&message);
    return code;
}

/* SPIN writes "_accept.pml.trail" for "accept.pml", and for "progress..." likewise. */
static void name_trail(const char *model, struct text *path)
{
    const char *slash = strrchr(model, '/'), *name = slash ? slash + 1 : model;
    text_format(path, "%s.trail", model);
    bool is_marked = !strncmp(name, "accept", 6) || !strncmp(name, "progress", 8);
    if (!is_marked || !access(path->chars, F_OK))
        return;
    text_clear(path);
    text_format(path, "%.*s_%s.trail", (int)(name - model), model, name);
}

int command_trail(const struct options *options)
{
    struct trail trail = {0};
    struct text path = {0};
    int code = EXIT_USAGE;
    if (options->values[OPTION_JSON] || options->values[OPTION_REPORT])
        return cli_fail("with --trail there is no --json and no --report: the run alone is there; --trace writes it");
    struct options alone = *options;
    if (options->operands.count > 1)
        text_append(&path, options->operands.items[1]);
    else
        name_trail(options->operands.items[0], &path);
    alone.operands.count = 1;
    trail.path = text_chars(&path);
    if (read_trail(&trail)) {
        struct model *model = cli_load(&alone, options->defines.items, options->defines.count, &code);
        if (model)
            code = replay_trail(&alone, model, &trail);
        model_destroy(model);
    }
    VEC_FREE(&trail.events);
    text_free(&path);
    return code;
}
