#include <stdlib.h>
#include <unistd.h>

#include "cli/recording.h"

static int print_why(const struct options *options, const struct property_result *claim)
{
    struct text text = {0};
    struct report_style style = {.colour = cli_wants_colour(STDOUT_FILENO),
                                 .verbose = options->values[OPTION_VERBOSE] != NULL};
    struct watch epilogue;
    watch_begin_epilogue(&epilogue);
    bool is_state = claim->trace->steps[claim->trace->count - 1].cells;
    if (is_state && (!claim->property->formula || claim->property->kind == PROPERTY_LIVENESS)) {
        report_text_claim(claim, &text);
        if (claim->verdict == VERDICT_VIOLATED) {
            text_append(&text, ": ");
            report_text_ending(claim, &text);
        }
        text_char(&text, '\n');
    }
    report_text_why(claim, &style, &text);
    int code = cli_end_text(&epilogue, "why") ? cli_print(&text, EXIT_HOLDS) : EXIT_UNKNOWN;
    text_free(&text);
    return code;
}

/* The trace is replayed first: only reachable states are explained. */
static int explain(const struct options *options, const struct recording *recording, const struct model *model)
{
    struct property_result claim;
    if (!recording_claim(recording, model, &claim))
        return EXIT_USAGE;
    struct evidence_mode mode = recording_mode(recording);
    char *wrong = check_evidence(claim.trace, claim.property, claim.verdict, &mode);
    int code = EXIT_VIOLATED;
    if (wrong)
        cli_fail("%s: does not replay: %s", recording->path, wrong);
    else
        code = print_why(options, &claim);
    free(wrong);
    trace_destroy(claim.trace);
    return code;
}

int command_explain(const struct options *options)
{
    return recording_with_model(options, VEC_LAST(&options->operands), explain);
}
