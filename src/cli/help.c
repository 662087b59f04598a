#include <string.h>

#include "cli/cli.h"
#include "driver/unused.h"

static const struct {
    const char *command, *lesson;
} examples[] = {
    {"noether check examples/german.m", "check a cache-coherence protocol"},
    {"noether check examples/german-bug.m --trace bug.json", "find the bug in a variant; keep the run that shows it"},
    {"noether replay examples/german-bug.m bug.json -v", "step through that run, checked anew"},
    {"noether check examples/german.m -D NODE_NUM=6 --time 10m", "a larger instance, within ten minutes"},
    {"noether simulate examples/german.m", "step through it; help lists the commands"},
    {"noether symmetry examples/german.m", "what is interchangeable, and what is not"},
    {"noether check examples/peterson.pml", "a model of SPIN, as it is"},
    {"noether check examples/leader.prism examples/leader.props --exact",
     "probabilities and rewards of a PRISM model, exactly"},
    {"noether check examples/msi.m --json - --symmetry off", "the answer for a program, without symmetry"},
};

static const char exit_codes[] = "exit status: 0 every property holds, 1 some property is violated,\n"
                                 "             2 wrong usage or model, 3 unknown (a limit was reached, or Ctrl-C)\n";

void help_overview(struct text *out)
{
    text_append(out, "Noether checks models of systems made of many similar parts. It finds their symmetry,\n"
                     "proves it, and checks every property on what is left.\n\n"
                     "usage: noether COMMAND [OPTIONS] MODEL\n\ncommands:\n");
    for (int i = 0; i < COMMAND_COUNT; i++)
        text_format(out, "  %-8s %-26s%s\n", command_rows[i].name, command_rows[i].operands, command_rows[i].summary);
    text_append(out, "\nexamples:\n");
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
        text_format(out, "  %s\n      %s\n", examples[i].command, examples[i].lesson);
    text_format(out, "\n%s\n\"noether help check\" shows all options of a check; \"noether --version\" the version.\n",
                exit_codes);
}

static void print_wrapped(const char *words, size_t indent, struct text *out)
{
    size_t column = indent;
    while (*words) {
        size_t length = strcspn(words, " ");
        bool fits = column == indent || column + 1 + length <= 100;
        if (!fits)
            text_format(out, "\n%*s", (int)indent, "");
        else if (column > indent)
            text_char(out, ' ');
        column = (fits ? column + (column > indent) : indent) + length;
        text_append_n(out, words, length);
        words += length + (words[length] == ' ');
    }
    text_char(out, '\n');
}

/* "a|b|c" without the values that are shown apart */
static void append_usual_values(enum option_id id, struct text *out)
{
    const char *apart = "", *value = option_rows[id].argument, *separator = "";
    for (size_t i = 0; i < comparison_row_count; i++)
        if (comparison_rows[i].id == id)
            apart = comparison_rows[i].values;
    for (; *value; value += *value == '|') {
        size_t length = strcspn(value, "|");
        if (options_position(apart, value, length) < 0) {
            text_append(out, separator);
            text_append_n(out, value, length);
            separator = "|";
        }
        value += length;
    }
}

static void append_users(const struct option_row *row, struct text *out)
{
    struct text users = {0};
    option_print_users(row->murphi, row->prism, &users);
    if (users.length)
        text_format(out, "; for %s", users.chars);
    text_free(&users);
}

/* Other commands than check have no engines. */
static void show_option(enum option_id id, enum command_id command, help_option *show, struct text *out)
{
    struct text argument = {0}, help = {0};
    const struct option_row *row = &option_rows[id];
    if (row->argument)
        append_usual_values(id, &argument);
    text_append(&help, row->help);
    if (command == COMMAND_CHECK)
        append_users(row, &help);
    if (row->standard)
        text_format(&help, " (default: %s)", row->standard);
    show(row, row->argument ? argument.chars : NULL, help.chars, out);
    text_free(&argument);
    text_free(&help);
}

bool help_options(enum command_id command, bool is_for_comparing, help_option *show, struct text *out)
{
    size_t before = out->length;
    for (int i = 0; i < OPTION_COUNT; i++)
        if (option_rows[i].commands & 1 << command && !(option_rows[i].commands & FOR_COMPARING) == !is_for_comparing)
            show_option((enum option_id)i, command, show, out);
    for (size_t i = 0; is_for_comparing && i < comparison_row_count; i++) {
        const struct comparison_row *row = &comparison_rows[i];
        if (option_rows[row->id].commands & 1 << command)
            show(&option_rows[row->id], row->values, row->help, out);
    }
    return out->length > before;
}

static void print_option(const struct option_row *row, const char *argument, const char *help, struct text *out)
{
    struct text head = {0};
    if (row->letter)
        text_format(&head, "-%c, ", row->letter);
    text_format(&head, "--%s", row->name);
    if (argument)
        text_format(&head, " %s", argument);
    text_format(out, "  %-34s", head.chars);
    if (head.length >= 34)
        text_format(out, "\n%36s", ""); /* a long head has a line of its own */
    print_wrapped(help, 36, out);
    text_free(&head);
}

static void print_wrapped_codes(const char *codes, struct text *out)
{
    text_append(out, "\nexit status: ");
    print_wrapped(codes, 13, out);
}

static void print_exit_codes(enum command_id command, struct text *out)
{
    static const char *const codes[COMMAND_COUNT] = {
        [COMMAND_REPLAY] = "0 the trace is a run of the model, 1 it is not, 2 it cannot be read",
        [COMMAND_EXPLAIN] = "0 the trace is a run of the model, 1 it is not, 2 it cannot be read",
        [COMMAND_SYMMETRY] = "0 the model was read, whatever its symmetry, 1 the audit failed, 2 wrong usage or model",
        [COMMAND_REDUCE] = "0 the model was written, 2 wrong usage or model, or one that cannot be counted",
        [COMMAND_GRAPH] = "0 the graph was written, 2 wrong usage or model",
        [COMMAND_INIT] = "0 the files were written, 2 wrong usage, or a file is there already",
        [COMMAND_FORMAT] =
            "0 done (--check: every file has the layout), 1 with --check: some file has not, 2 wrong usage, "
            "or a file that cannot be read or written",
        [COMMAND_LSP] = "0 the editor has ended it as the protocol says, 1 it was not asked to shut down first",
        [COMMAND_SIMULATE] = "0 nothing is wrong where the run ends, 1 something is, 2 wrong usage, model or command",
    };
    if (codes[command])
        print_wrapped_codes(codes[command], out);
    else
        text_format(out, "\n%s", exit_codes);
}

void help_command(enum command_id command, struct text *out)
{
    const struct command_row *row = &command_rows[command];
    text_format(out, "usage: noether %s%s %s\n\n", row->name, command == COMMAND_HELP ? "" : " [OPTIONS]",
                row->operands);
    print_wrapped(row->summary, 0, out);
    if (command == COMMAND_HELP)
        return;
    text_append(out, "\noptions:\n");
    help_options(command, false, print_option, out);
    struct text comparing = {0};
    if (help_options(command, true, print_option, &comparing))
        text_format(out, "\nfor comparing methods:\n%s", comparing.chars);
    text_free(&comparing);
    print_exit_codes(command, out);
}

int command_help(const struct options *options)
{
    struct text text = {0};
    const char *topic = options->operands.count ? options->operands.items[0] : NULL;
    enum command_id command = topic ? options_find_command(topic) : COMMAND_COUNT;
    if (!topic)
        help_overview(&text);
    else if (command != COMMAND_COUNT)
        help_command(command, &text);
    else if (!strcmp(topic, "man"))
        help_manual(&text);
    else if (!strcmp(topic, "bash"))
        completion_bash(&text);
    else if (!strcmp(topic, "zsh"))
        completion_zsh(&text);
    else
        return cli_fail("there is no command \"%s\"; try \"noether --help\"", topic);
    int code = cli_print(&text, 0);
    text_free(&text);
    return code;
}
