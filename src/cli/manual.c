/* The manual page. docs/noether.1 is this text; a test compares them. */
#include "cli/cli.h"

/* roff reads a hyphen as a typographic one and a leading dot as a request. */
static void append_escaped(const char *words, struct text *out)
{
    for (; *words; words++) {
        if (*words == '-' || *words == '\\')
            text_char(out, '\\');
        text_char(out, *words);
    }
}

static void print_option(const struct option_row *row, const char *argument, const char *help, struct text *out)
{
    text_append(out, ".TP\n");
    if (row->letter)
        text_format(out, ".BR \\-%c \", \" ", row->letter);
    else
        text_append(out, ".B ");
    text_append(out, "\\-\\-");
    append_escaped(row->name, out);
    if (argument && row->letter)
        text_append(out, " \" \" ");
    else if (argument)
        text_char(out, ' ');
    if (argument)
        append_escaped(argument, out);
    text_char(out, '\n');
    append_escaped(help, out);
    text_append(out, ".\n");
}

static void print_commands(struct text *out)
{
    text_append(out, ".SH COMMANDS\n");
    for (int i = 0; i < COMMAND_COUNT; i++) {
        text_format(out, ".TP\n.B %s ", command_rows[i].name);
        text_format(out, "\\fI%s\\fR\n", command_rows[i].operands);
        append_escaped(command_rows[i].summary, out);
        text_append(out, ".\n");
    }
}

static void print_options(struct text *out)
{
    for (int command = 0; command < COMMAND_HELP; command++) {
        struct text comparing = {0};
        text_format(out, ".SH OPTIONS OF %s\n", command_rows[command].name);
        help_options((enum command_id)command, false, print_option, out);
        if (help_options((enum command_id)command, true, print_option, &comparing))
            text_format(out, ".SS For comparing methods\n%s", comparing.chars);
        text_free(&comparing);
    }
}

void help_manual(struct text *out)
{
    text_append(out, ".TH NOETHER 1 \"" NOETHER_DATE "\" \"noether " NOETHER_VERSION "\" \"User Commands\"\n"
                     ".SH NAME\nnoether \\- model checker for systems made of many similar parts\n"
                     ".SH SYNOPSIS\n.B noether\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR] \\fIMODEL\\fR\n"
                     ".SH DESCRIPTION\n"
                     "Noether reads a model, finds and proves its symmetry, and checks its properties on one\n"
                     "representative of each class of symmetric states. Every counterexample it prints is a run\n"
                     "of the model itself, replayed by an independent evaluator before it is shown.\n");
    print_commands(out);
    print_options(out);
    text_append(
        out,
        ".SH EXIT STATUS\n"
        ".TP\n.B 0\nEvery property holds (replay, explain: the trace is a run of the model; simulate: nothing is "
        "wrong\nwhere the run ends).\n"
        ".TP\n.B 1\nSome property is violated (replay, explain: the trace is no run of the model; simulate: something "
        "is\nwrong).\n"
        ".TP\n.B 2\nWrong usage, or the model has errors; nothing was checked.\n"
        ".TP\n.B 3\nUnknown: a limit was reached, or the search was interrupted.\n"
        ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nWhen set and not empty, no colours on a terminal.\n"
        ".TP\n.B NOETHER_HEARTBEAT\nHow often a search reports its progress where standard error is no terminal "
        "(default: 30, seconds).\n"
        ".TP\n.B NOETHER_NO_NATIVE\nWhen set, rules are not compiled to native code.\n"
        ".TP\n.B NOETHER_DISK_STATES\nFor tests: with \\-\\-disk, the visited set is full with this number of states.\n"
        ".TP\n.B NOETHER_LOADER_CELLS\nFor tests: generated code unpacks states of at most this number of cells "
        "(default: 64).\n"
        ".TP\n.B NOETHER_CROWD\nHow many interchangeable processes check takes the counter engine for (default: 24).\n"
        ".TP\n.BR NOETHER_CC \", \" NOETHER_CFLAGS\n"
        "The C compiler for native code, and its options (default: cc \\-Og \\-fstrict\\-aliasing).\n"
        ".TP\n.BR XDG_CACHE_HOME \", \" HOME\nCompiled code is kept in $XDG_CACHE_HOME/noether or "
        "~/.cache/noether.\n"
        ".SH FILES\n.TP\n.I PREFIX/share/doc/noether\n"
        "The pages that messages and this page call docs/..., and the models they call examples/...; PREFIX is /usr "
        "with "
        "the\nDebian package, and /usr/local otherwise.\n"
        ".SH SEE ALSO\n.BR noether\\-verify (1)\n"
        ".SH EXAMPLES\n.nf\n"
        "noether check examples/german.m\n"
        "noether check examples/german\\-bug.m \\-\\-trace bug.json\n"
        "noether replay examples/german\\-bug.m bug.json \\-v\n"
        ".fi\n"
        ".SH FILES\n"
        "Pages that messages name (docs/symmetry.md) and the examples are installed in\n"
        ".IR share/doc/noether/docs \" and \" share/doc/noether/examples ,\n"
        "below /usr (Debian package) or /usr/local (cmake \\-\\-install).\n"
        ".SH SEE ALSO\n.BR noether\\-verify (1)\n");
}
