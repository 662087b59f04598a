/* The forms of an answer: text and a page for people, JSON and SARIF for programs, trace files
 * for replay.
 *
 * Everything is written into a struct text; the caller decides where that goes. An answer may be long (a run of many
 * steps through large states): where the watch of the thread is over, the writers break off (watch_was_cut), and the
 * caller asks again for an answer that is_shortened. */
#ifndef NOETHER_REPORT_REPORT_H
#define NOETHER_REPORT_REPORT_H

#include "base/json.h"
#include "result/verdict.h"

/* An option of the run, as the user would write it ("search", "bfs"). */
struct report_option {
    const char *name, *value;
};

struct report {
    const char *model;      /* path, as the user wrote it */
    const char *properties; /* the path of a file with more properties, or NULL */
    const struct layout *layout;
    const struct symmetry *symmetry;       /* what was used; its breaches say why a type was not */
    bool compares_results;                 /* with what the properties' comments say (result/expected.h) */
    bool symmetry_is_off;                  /* by the user's wish */
    const char *set_aside;                 /* why symmetry that the model has is not used, or NULL */
    const struct result *result;           /* NULL: nothing was checked, see `diagnostics` and `refusal` */
    const struct source *source;           /* of the model; NULL: it could not be read, or is not wanted */
    const struct source *property_source;  /* of the file with more properties, or NULL */
    const char *language;                  /* "murphi", "prism" */
    const struct diagnostics *diagnostics; /* of loading it, and what may be a mistake in it; or NULL */
    bool warnings_are_off, warnings_are_errors;
    const char *refusal; /* why the engine did not check the model, or NULL */
    const char *memory;  /* the limit, and whose it is; NULL: not said */
    const char *why;     /* the engine and why it was chosen; NULL: the user chose */
    const char *plan;    /* a line for each attempt, or NULL */
    const char *command; /* the line that a shell would run again, or NULL */
    bool is_shortened;   /* without runs, their states and the levels of the search: there is no time to write them */
    const struct report_option *options, *defines;
    size_t option_count, define_count;
};

struct report_style {
    bool colour, full_states, verbose;
    bool is_terminal; /* long lines are wrapped; programs that read a line want it whole */
};

/* The whole answer: symmetry, counterexamples, verdicts, figures. */
void report_text(const struct report *report, const struct report_style *style, struct text *out);
/* The parts: the last line, ... */
void report_text_summary(const struct report *report, const struct report_style *style, struct text *out);
void report_text_symmetry(const struct symmetry *symmetry, bool is_off, bool is_whole, const struct report_style *style,
                          struct text *out); /* not is_whole: nothing of plain types that are not interchangeable */
/* The same, or what the engine has of its own. */
void report_text_symmetry_used(const struct report *report, bool is_whole, const struct report_style *style,
                               struct text *out);
/* Generators of the group, in cycles of elements; one of them. */
void report_text_generators(const struct symmetry *symmetry, struct text *out);
void report_text_generator(const struct symmetry_factor *factor, uint32_t number, struct text *out);
/* warnings.c: what may be a mistake in the model. Does the rule fire in no reachable state? Then that is said. */
bool report_dead_rule(const struct report *report, size_t rule, struct text *out);
/* Is every start state left out by an assumption? Then that is said, and where the (first) assumption stands. */
bool report_nothing_checked(const struct report *report, struct span *span, struct text *out);
size_t report_count_warnings(const struct report *report);
void report_text_warnings(const struct report *report, const struct report_style *style, struct text *out);
/* Adds those that `lines` has not, each with its line, without colour. */
void report_new_warnings(const struct report *report, struct text *lines);
/* Line, column, message and hint. */
struct json *report_json_diagnostic(const struct diagnostic *item);
struct json *report_json_warnings(const struct report *report);
/* results.c: the exit status; which results agree with their comments, which do not. */
int report_exit_code(const struct report *report);
void report_text_results(const struct result *result, const struct report_style *style, struct text *out);
/* How many, by enum agreement. */
void report_text_agreement(const uint64_t *counts, const struct report_style *style, struct text *out);
/* Where the time went, the slowest first. */
void report_text_profile(const struct profile *profile, struct text *out);
struct json *report_json_profile(const struct profile *profile);
/* What a trace shows, in a few words: `counterexample to invariant "coherence"`, `deadlock`. */
void report_text_claim(const struct property_result *property, struct text *out);
/* What the last state of a trace is there to show; a step that fails has said it already. */
void report_text_ending(const struct property_result *property, struct text *out);
/* Which variables that a false formula asks about have no value there: " (leader is undefined)"; or nothing. */
void report_text_undefined(const struct property_result *property, struct text *out);
/* The same as a title, the trace, and what its last state is there for. */
void report_text_evidence(const struct property_result *property, const struct report_style *style, struct text *out);
void report_text_trace(const struct trace *trace, const struct report_style *style, struct text *out);
/* What failed, with the line of the source. */
void report_text_fault(const struct fault *fault, const struct report_style *style, struct text *out);
void report_text_step(const struct trace *trace, uint32_t at, const struct report_style *style, struct text *out);
/* explain.c: what is wrong in the last state of a run: for the property, and for invariants that are false there, the
 * subformulas that are false, with the elements that show it; for a CTL property what the run shows of each part. */
void report_text_why(const struct property_result *claim, const struct report_style *style, struct text *out);

/* explain_probability.c: the choices that a run of a Markov chain takes, and the probabilities of its steps. */
void report_text_probabilities(const struct trace *trace, const struct report_style *style, struct text *out);

/* rules.c: the partitions of the rules. */
struct rule_partitions;
void report_text_rules(const struct rule_partitions *partitions, const struct report_style *style, struct text *out);
struct json *report_json_rules(const struct rule_partitions *partitions);

/* docs/json.md describes both documents. */
enum { REPORT_JSON_VERSION = 1, REPORT_TRACE_VERSION = 1 };
struct json *report_json(const struct report *report);
/* There is no result: the model has errors, or the engine refuses it. */
struct json *report_json_errors(const struct report *report);
/* There is no result: a limit or a signal came while the model was read. */
struct json *report_json_unread(const struct report *report, const struct stop *stop);
struct json *report_json_symmetry(const struct symmetry *symmetry);
/* Of a model that was not read in time: no group is known but the trivial one. */
struct json *report_json_unread_symmetry(const struct stop *stop);
struct json *report_json_trace_file(const struct report *report, const struct property_result *shown);

/* One HTML page that needs nothing else: docs/report.md. Also when nothing was checked. */
void report_page(const struct report *report, struct text *out);
/* SARIF 2.1.0, for tools that show findings beside the source. Also when nothing was checked. */
struct json *report_sarif(const struct report *report);

/* JUnit's XML, for servers that show the results of tests: a suite for the model, a case for each property. Also when
 * nothing was checked. is_part: the suite alone, to stand among others. */
void report_junit(const struct report *report, bool is_part, struct text *out);
void report_junit_begin(struct text *out);
void report_junit_end(struct text *out);

/* chart_dot.c, chart_json.c: what is selected to be shown of a graph. */
struct chart;
void report_dot_chart(const struct report *report, const struct chart *chart, struct text *out);
struct json *report_json_chart(const struct report *report, const struct chart *chart);
/* What the drawing leaves out, in a sentence; nothing when it leaves out nothing. */
void report_text_chart_cut(const struct chart *chart, struct text *out);

/* The property whose trace --trace writes: the first violated one with a trace, else the first with one; or NULL. */
const struct property_result *report_main_trace(const struct result *result);

#endif
