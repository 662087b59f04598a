/* The command line program: everything that talks to a person or exits. */
#ifndef NOETHER_CLI_CLI_H
#define NOETHER_CLI_CLI_H

#include "cli/options.h"
#include "driver/check.h"
#include "report/report.h"

enum exit_code { EXIT_HOLDS = 0, EXIT_VIOLATED = 1, EXIT_USAGE = 2, EXIT_UNKNOWN = 3 };

int cli_main(int count, char **words);

/* One for each command: the exit code. */
int command_check(const struct options *options);
int command_trail(const struct options *options); /* check --trail */
int command_symmetry(const struct options *options);
int command_replay(const struct options *options);
int command_reduce(const struct options *options);
int command_graph(const struct options *options);
int command_simulate(const struct options *options);
int command_explain(const struct options *options);
int command_init(const struct options *options);
int command_format(const struct options *options);
int command_lsp(const struct options *options);
int command_help(const struct options *options);

void help_overview(struct text *out);
void help_command(enum command_id command, struct text *out);
/* How an option is shown; `argument` may be NULL. */
typedef void help_option(const struct option_row *row, const char *argument, const char *help, struct text *out);
/* Shows the options of a command: those for comparing methods, or the others. False when there are none. */
bool help_options(enum command_id command, bool is_for_comparing, help_option *show, struct text *out);
/* The manual page, in roff. */
void help_manual(struct text *out);
/* What shells source to complete the command line. */
void completion_bash(struct text *out);
void completion_zsh(struct text *out);

/* A model as it was read: without errors there is a model. */
struct loaded {
    struct model *model; /* or NULL */
    struct diagnostics diagnostics;
    struct source *source, *properties, *asked; /* of a model with errors, or NULL */
};
/* Loads the model of the first operand and prints its diagnostics; false when it has errors. Close it in any case.
 * Processes that have ended are kept where nothing can see them disappear and more are interchangeable then: that
 * becomes an option. Errors that are those of `said` are not printed again; `said` becomes the last ones. */
bool cli_open_for_symmetry(struct options *options, const struct define *defines, size_t define_count,
                           struct loaded *loaded, struct text *said);
void cli_close(struct loaded *loaded);
/* The same, for those who want the model only: NULL when there is none, and *code says how to end. */
struct model *cli_load(const struct options *options, const struct define *defines, size_t define_count, int *code);
/* The same, opened as by cli_open_for_symmetry with the constants of the options. */
struct model *cli_load_for_symmetry(struct options *options, int *code);
/* Of two exit codes the worse one: 2 (wrong usage or model), 1 (violated), 3 (unknown), 0. */
int cli_worse_code(int one, int other);
/* An error message and EXIT_USAGE. */
int cli_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same, where nothing is wrong. */
void cli_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* All text for people goes through one of these three, which print no control characters (base/printable.h)
 * but the colours of our own. To standard error: */
void cli_say(const struct text *text);
/* To standard output, at once: */
void cli_tell(const struct text *text);
/* Prints to standard output; EXIT_USAGE when that fails, else `code`. */
int cli_print(const struct text *text, int code);
/* Better asked now than after an hour of searching; false after a message. */
bool cli_can_write(const char *path, const struct options *options);
/* Writes a file whole; false after a message. */
bool cli_write_text(const char *path, const struct text *text);
bool cli_write_json(const char *path, struct json *document);
/* Ends an epilogue in which a text was made. False after a message: it was cut, and the text is not whole. */
bool cli_end_text(struct watch *epilogue, const char *path);
bool cli_wants_colour(int file);

/* A command is watched from its start to its end: its limit of time (--time), and the signals that end it (SIGINT,
 * SIGTERM, SIGHUP; a second one ends the program at once). The watch of the thread is over then (base/watch.h); what
 * has not ended by itself soon after is given up (cli/partial.h). not catches_signals: they have their usual effect. */
void interrupt_begin(const struct options *options, bool catches_signals);
void interrupt_end(void);
/* Becomes non-zero at the first signal. */
const volatile int *interrupt_flag(void);
/* A conversation: Ctrl-C sets another flag, which ends the command that is running, or the line that is typed. */
void interrupt_begin_talk(void);
const volatile int *interrupt_talk_flag(void);
bool interrupt_take_talk(void);       /* was it set? It is no longer. */
double interrupt_seconds_spent(void); /* since it began */
/* EXIT_UNKNOWN, after a message, where the watch of the thread is over; else `code`. */
int interrupt_code(const struct options *options, int code);

/* resume.c */
/* The command of a checkpoint in place of `noether resume`, which it becomes. False after a message. */
bool resume_begin(struct options *options);
void resume_end(struct options *options);
/* The checkpoint of a check, in *checkpoint: the one that is resumed, a new one, or NULL. False after a message. */
bool keep_open(const struct options *options, const struct model *model, struct checkpoint **checkpoint);

/* distributed.c: a word to those who have forgotten --distributed. */
void distributed_hint(const struct options *options);
/* True in a process that mpirun has started and that is not its first one, which speaks for all. */
bool distributed_is_silent(void);
/* Called by every rank when it is ready for the next step that all ranks take together; a rank that ends before it is
 * called reports its exit code instead. False: a rank does not go on; *code is the exit code, after a message. True at
 * once where there is one process. is_last: no meeting follows. */
bool distributed_meet(const struct options *options, bool is_last, int *code);
/* The command in all processes that mpirun has started, of which the first one speaks. */
int distributed_run(const struct options *options, int (*command)(const struct options *options));

/* experiment.c: the same for each combination of values of constants (ranges.h). */
int command_experiment(const struct options *options);
/* check.c: one check, with a message if the engine refuses it. *is_certified: not, if a certificate was asked for and
 * could not be written. */
struct check check_run(const struct options *options, const struct loaded *loaded, struct checkpoint *checkpoint,
                       bool *is_certified);
/* What a report is about, but for the definitions of constants; `list` has room for all options. */
/* command_line.c: what a shell would run again. */
void cli_command_line(const struct options *options, struct text *out);
struct report check_report(const struct options *options, const struct loaded *loaded, const struct check *check,
                           struct report_option *list);
/* Prints and writes the answer, and gives the exit code. `check` NULL: the model has errors. */
int check_show(const struct options *options, const struct loaded *loaded, const struct check *check);
/* The same where a limit or a signal came while the model was read. */
int check_show_unread(const struct options *options, const struct stop *stop);

/* How the search is getting on: a line on a terminal that is written again and again; elsewhere one every 30 seconds.
 */
struct progress {
    double last, every;
    bool is_shown, is_on, is_terminal;
    uint64_t memory; /* the limits; 0: none */
    double seconds;
};
void progress_begin(struct progress *progress, bool is_quiet, const struct limits *limits);
void progress_show(void *progress, const struct progress_sample *sample);
void progress_end(struct progress *progress);

#endif
