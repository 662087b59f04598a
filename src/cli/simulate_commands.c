#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/simulate.h"
#include "report/value.h"

enum {
    MOST_SHOWN_CHOICES = 40,
    MOST_SHOWN_STEPS = 20,
    MOST_LISTED_STEPS = 5,
    MOST_SHOWN_RULES = 12,
    SEARCH_STATES = 200000
};

static void print_text(struct text *text)
{
    cli_tell(text);
    text_free(text);
}

static void print_line(const char *line)
{
    struct text text = {0};
    text_format(&text, "%s\n", line);
    print_text(&text);
}

/* A message about a command that cannot be done: on standard error, as all messages. */
static bool refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));
static bool refuse(const char *format, ...)
{
    struct text message = {0};
    va_list arguments;
    va_start(arguments, format);
    text_vformat(&message, format, arguments);
    va_end(arguments);
    text_char(&message, '\n');
    cli_say(&message);
    text_free(&message);
    return false;
}

static void list_choices(struct session *session, bool is_whole, struct text *out)
{
    size_t count = session->choices.count;
    size_t shown = !is_whole && count > MOST_SHOWN_CHOICES ? MOST_SHOWN_CHOICES : count;
    if (!session->trace->count)
        text_append(out, "start states:\n");
    for (size_t i = 0; i < shown; i++) {
        const struct offer *offer = &session->choices.items[i];
        text_format(out, "%5zu) ", i + 1);
        session_print_choice(session, i, out);
        text_append(out, offer->fails ? "  (fails)\n" : "\n");
    }
    if (shown < count)
        text_format(out, "       and %zu more: list all\n", count - shown);
    if (!count)
        text_append(out, "       nothing can be taken\n");
}

static void list_watches(const struct simulation *simulation, struct text *out)
{
    const int32_t *cells = session_cells(simulation->session);
    for (size_t i = 0; cells && i < simulation->watches.count; i++) {
        text_format(out, "         watch %zu: %s = ", i + 1, inquiry_text(simulation->watches.items[i]));
        inquiry_print(simulation->watches.items[i], cells, out);
        text_char(out, '\n');
    }
}

void simulate_show(struct simulation *simulation, uint32_t steps)
{
    const struct trace *trace = simulation->session->trace;
    struct text text = {0};
    if (steps > MOST_SHOWN_STEPS) {
        text_format(&text, "  ...  %u steps (trace shows them)\n", steps - MOST_SHOWN_STEPS);
        steps = MOST_SHOWN_STEPS;
    }
    for (uint32_t i = trace->count > steps ? trace->count - steps : 0; i < trace->count; i++)
        report_text_step(trace, i, &simulation->style, &text);
    list_watches(simulation, &text);
    struct property_result claim = simulate_claim(simulation);
    if (claim.property && session_cells(simulation->session)) {
        text_append(&text, "         ");
        report_text_ending(&claim, &text);
        text_char(&text, '\n');
    }
    free(claim.reason);
    if (!claim.property || simulation->session->choices.count)
        list_choices(simulation->session, false, &text);
    print_text(&text);
}

/* An argument that is a number; `standard` when there is none. */
static bool read_number(const char *argument, uint64_t standard, uint64_t *number)
{
    *number = standard;
    return !*argument || amount_count(argument, number) || refuse("\"%s\" is no number", argument);
}

/* The only choice that begins so. False after a message. */
static bool find_choice(struct session *session, const char *beginning, uint64_t *number)
{
    size_t found = 0;
    for (size_t i = 0; i < session->choices.count; i++) {
        struct text name = {0};
        session_print_choice(session, i, &name);
        if (!strncmp(text_chars(&name), beginning, strlen(beginning))) {
            *number = i + 1;
            found++;
        }
        text_free(&name);
    }
    if (found == 1)
        return true;
    return found ? refuse("%zu choices begin with \"%s\"", found, beginning)
                 : refuse("no choice begins with \"%s\"", beginning);
}

static bool do_take(struct simulation *simulation, const char *argument)
{
    uint64_t number;
    size_t count = simulation->session->choices.count;
    if (*argument && !isdigit((unsigned char)*argument) && !find_choice(simulation->session, argument, &number))
        return false;
    if ((!*argument || isdigit((unsigned char)*argument)) && !read_number(argument, 0, &number))
        return false;
    if (!number || number > count)
        return count ? refuse("there are %zu choices: 1 to %zu", count, count) : refuse("nothing can be taken");
    session_take(simulation->session, number - 1);
    simulate_show(simulation, 1);
    return true;
}

static bool do_list(struct simulation *simulation, const char *argument)
{
    struct text text = {0};
    list_choices(simulation->session, !strcmp(argument, "all"), &text);
    print_text(&text);
    return true;
}

static bool do_undo(struct simulation *simulation, const char *argument)
{
    uint64_t steps;
    uint32_t count = simulation->session->trace->count;
    if (!read_number(argument, 1, &steps))
        return false;
    if (!count)
        return refuse("there is no step to undo");
    session_undo(simulation->session, steps > count ? count : (uint32_t)steps);
    simulate_show(simulation, 1);
    return true;
}

/* Many steps: how often each rule was taken, the most frequent first. */
static void summarise(const struct trace *trace, uint32_t from)
{
    const struct system *system = trace->system;
    uint32_t *counts = memory_zeroed(system->rules.count + 1, sizeof *counts);
    struct text text = {0};
    for (uint32_t i = from ? from : 1; i < trace->count; i++)
        counts[trace->steps[i].rule->id]++;
    text_format(&text, "  ...  %u steps (trace shows them)\n", trace->count - from);
    for (int shown = 0; shown < MOST_SHOWN_RULES; shown++) {
        size_t most = 0;
        for (size_t i = 1; i < system->rules.count; i++)
            most = counts[i] > counts[most] ? i : most;
        if (!counts[most])
            break;
        text_format(&text, "       %6u  %s\n", counts[most], system->rules.items[most]->name);
        counts[most] = 0;
    }
    free(counts);
    print_text(&text);
}

static bool do_random(struct simulation *simulation, const char *argument)
{
    struct session *session = simulation->session;
    struct fault fault;
    uint64_t wanted;
    uint32_t before = session->trace->count;
    if (!read_number(argument, 1, &wanted))
        return false;
    for (uint64_t i = 0; i < wanted && session_take_any(session); i++)
        if (session_violated(session, &fault))
            break;
    if (session->trace->count == before)
        return refuse("nothing can be taken");
    uint32_t taken = session->trace->count - before;
    if (taken > MOST_LISTED_STEPS)
        summarise(session->trace, before);
    simulate_show(simulation, taken > MOST_LISTED_STEPS ? 1 : taken);
    return true;
}

/* NULL after a message. */
static struct inquiry *ask(struct simulation *simulation, const char *expression, bool is_condition)
{
    struct text message = {0};
    struct inquiry *inquiry = inquiry_create(simulation->session->model, expression, is_condition, &message);
    if (!inquiry)
        cli_say(&message);
    text_free(&message);
    return inquiry;
}

static bool do_until(struct simulation *simulation, const char *argument)
{
    struct session *session = simulation->session;
    uint32_t before = session->trace->count;
    if (!*argument)
        return refuse("until wants a condition, as in: until x = 3");
    struct inquiry *condition = ask(simulation, argument, true);
    if (!condition)
        return false;
    enum search_end end = session_find(session, condition, SEARCH_STATES);
    inquiry_destroy(condition);
    if (end == SEARCH_NOWHERE)
        return refuse("no state that can be reached from here makes it true");
    if (end == SEARCH_CUT)
        return refuse("not found among the nearest %d states", SEARCH_STATES);
    if (session->trace->count == before)
        print_line("         it is true here");
    else
        simulate_show(simulation, session->trace->count - before);
    return true;
}

static bool has_state(const struct simulation *simulation)
{
    return session_cells(simulation->session) ||
           refuse(simulation->session->trace->count ? "there is no state: the last step fails"
                                                    : "choose a start state first");
}

static bool do_print(struct simulation *simulation, const char *argument)
{
    struct text text = {0};
    if (!has_state(simulation))
        return false;
    const int32_t *cells = session_cells(simulation->session);
    if (!*argument) {
        struct value_lines lines = {0};
        value_list_state(simulation->session->model->layout, cells, false, &lines);
        value_print_lines(&lines, "         ", &text);
        value_free_lines(&lines);
    } else {
        struct inquiry *inquiry = ask(simulation, argument, false);
        if (!inquiry)
            return false;
        text_format(&text, "         %s = ", argument);
        inquiry_print(inquiry, cells, &text);
        text_char(&text, '\n');
        inquiry_destroy(inquiry);
    }
    print_text(&text);
    return true;
}

static bool do_watch(struct simulation *simulation, const char *argument)
{
    struct inquiry *inquiry = *argument ? ask(simulation, argument, false) : NULL;
    struct text text = {0};
    if (*argument && !inquiry)
        return false;
    if (inquiry)
        VEC_PUSH(&simulation->watches, inquiry);
    list_watches(simulation, &text);
    print_text(&text);
    return true;
}

static bool do_unwatch(struct simulation *simulation, const char *argument)
{
    uint64_t number;
    if (!read_number(argument, simulation->watches.count, &number))
        return false;
    if (!number || number > simulation->watches.count)
        return refuse("there is no watch %llu", (unsigned long long)number);
    inquiry_destroy(simulation->watches.items[number - 1]);
    for (size_t i = number; i < simulation->watches.count; i++)
        simulation->watches.items[i - 1] = simulation->watches.items[i];
    simulation->watches.count--;
    return true;
}

static bool do_trace(struct simulation *simulation, const char *argument)
{
    (void)argument;
    struct text text = {0};
    report_text_trace(simulation->session->trace, &simulation->style, &text);
    print_text(&text);
    return true;
}

static bool do_why(struct simulation *simulation, const char *argument)
{
    struct session *session = simulation->session;
    struct text text = {0};
    struct fault fault;
    if (*argument) {
        struct inquiry *condition = has_state(simulation) ? ask(simulation, argument, true) : NULL;
        if (!condition)
            return false;
        inquiry_explain(condition, session_cells(session), &text);
        inquiry_destroy(condition);
    } else if (!session->trace->count) {
        return has_state(simulation);
    } else {
        struct property_result claim = {.trace = session->trace, .verdict = VERDICT_UNKNOWN};
        const struct property *violated = session_violated(session, &fault);
        claim.property = violated ? violated : session->model->system->properties.items[SYSTEM_RUNTIME];
        report_text_why(&claim, &simulation->style, &text);
    }
    print_text(&text);
    return true;
}

static bool do_save(struct simulation *simulation, const char *argument)
{
    if (!*argument)
        return refuse("save wants the name of a file");
    if (!simulation->session->trace->count)
        return refuse("there is no step to save");
    return simulate_save(simulation, argument);
}

bool simulate_adopt(struct simulation *simulation, const struct recording *recording)
{
    struct property_result claim = {0};
    if (!recording_claim(recording, simulation->session->model, &claim))
        return false;
    char *wrong = trace_replay(claim.trace);
    if (wrong) {
        refuse("%s: does not replay: %s", recording->path, wrong);
        trace_destroy(claim.trace);
        free(wrong);
        return false;
    }
    session_adopt(simulation->session, claim.trace);
    simulate_show(simulation, claim.trace->count);
    return true;
}

static bool do_load(struct simulation *simulation, const char *argument)
{
    struct recording recording;
    if (!*argument)
        return refuse("load wants the name of a file");
    bool ok = recording_read(argument, simulation->options, &recording) && simulate_adopt(simulation, &recording);
    recording_free(&recording);
    return ok;
}

static bool do_seed(struct simulation *simulation, const char *argument)
{
    uint64_t seed;
    if (!*argument || !read_number(argument, 0, &seed))
        return !*argument ? refuse("seed wants a number") : false;
    session_seed(simulation->session, seed);
    return true;
}

static bool do_restart(struct simulation *simulation, const char *argument)
{
    (void)argument;
    session_undo(simulation->session, simulation->session->trace->count);
    if (simulation->session->choices.count == 1)
        session_take(simulation->session, 0);
    simulate_show(simulation, 1);
    return true;
}

static bool do_quit(struct simulation *simulation, const char *argument)
{
    (void)argument;
    simulation->is_over = true;
    return true;
}

static bool do_help(struct simulation *simulation, const char *argument);

static const struct command {
    const char *name, *letter, *argument, *help;
    bool (*obey)(struct simulation *simulation, const char *argument);
} commands[] = {
    {"take", "", "N", "take the step with this number (alone will do), or whose text begins so", do_take},
    {"list", "l", "[all]", "what can be taken", do_list},
    {"undo", "u", "[N]", "take back the last step, or N", do_undo},
    {"random", "r", "[N]", "take a random step, or N, until something is wrong", do_random},
    {"until", "", "COND", "go the shortest way to a state where the condition is true", do_until},
    {"print", "p", "[EXPR]", "the state, or the value of an expression", do_print},
    {"watch", "w", "[EXPR]", "show the value after every step", do_watch},
    {"unwatch", "", "[N]", "no longer", do_unwatch},
    {"why", "", "[COND]", "what is wrong here, or why a condition is true or false", do_why},
    {"trace", "t", "", "the run so far", do_trace},
    {"save", "", "FILE", "write the run to a trace file, for replay and explain", do_save},
    {"load", "", "FILE", "go on from the end of a trace file", do_load},
    {"seed", "", "N", "seed of the random steps", do_seed},
    {"restart", "", "", "back to the start", do_restart},
    {"help", "h", "", "this list", do_help},
    {"quit", "q", "", "end", do_quit},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static bool do_help(struct simulation *simulation, const char *argument)
{
    (void)simulation, (void)argument;
    struct text text = {0};
    for (size_t i = 0; i < COMMANDS; i++)
        text_format(&text, "  %-7s %-1s  %-6s  %s\n", commands[i].name, commands[i].letter, commands[i].argument,
                    commands[i].help);
    print_text(&text);
    return true;
}

void simulate_each_command(void (*visit)(const char *name))
{
    for (size_t i = 0; i < COMMANDS; i++)
        visit(commands[i].name);
}

static bool refuse_command(const char *word)
{
    const char *names[COMMANDS];
    for (size_t i = 0; i < COMMANDS; i++)
        names[i] = commands[i].name;
    const char *closest = diag_closest(word, names, COMMANDS);
    return closest ? refuse("there is no command \"%s\"; did you mean \"%s\"?", word, closest)
                   : refuse("there is no command \"%s\"; try help", word);
}

bool simulate_obey(struct simulation *simulation, char *line)
{
    char *end = line + strlen(line);
    while (end > line && isspace((unsigned char)end[-1]))
        *--end = '\0';
    line += strspn(line, " \t");
    if (!*line || *line == '#')
        return true; /* nothing, or a comment in a script */
    if (isdigit((unsigned char)*line))
        return do_take(simulation, line);
    size_t length = strcspn(line, " \t");
    const char *argument = line + length + strspn(line + length, " \t");
    line[length] = '\0';
    for (size_t i = 0; i < COMMANDS; i++)
        if (!strcmp(line, commands[i].name) || !strcmp(line, commands[i].letter))
            return commands[i].obey(simulation, argument);
    return refuse_command(line);
}
