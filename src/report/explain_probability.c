/* How a run of a chain comes about: what the scheduler takes where there are several choices, and how likely each step
 * is. */
#include "ir/chain.h"
#include "report/style.h"
#include "result/likelihood.h"

enum { MOST_STEPS = 40 };

static void explain_step(const struct trace *trace, uint32_t at, const struct likelihood_step *found, struct text *out)
{
    const struct rule *rule = trace->steps[at].rule;
    bool is_scheduled = trace->system->chain->kind == CHAIN_MDP;
    text_format(out, "  step %u: ", at);
    if (is_scheduled && found->choices > 1)
        text_format(out, "of %u choices the scheduler takes ", found->choices);
    else if (is_scheduled)
        text_append(out, "the only choice is ");
    text_format(out, "%s of line %u; ", rule->name, rule->span.line);
    if (found->probability == 1)
        text_append(out, "what happens then is certain\n");
    else
        text_format(out, "this happens with probability %.6g\n", found->probability);
}

void report_text_probabilities(const struct trace *trace, const struct report_style *style, struct text *out)
{
    uint32_t last = trace->count - 1, first = style->verbose || last <= MOST_STEPS ? 1 : last - MOST_STEPS + 1;
    struct likelihood *likelihood = likelihood_create(trace);
    struct text steps = {0};
    double probability = 1;
    for (uint32_t i = 1; i <= last && trace->steps[i].cells; i++) {
        struct likelihood_step found = likelihood_of_step(likelihood, i);
        probability *= found.probability;
        if (i >= first)
            explain_step(trace, i, &found, &steps);
    }
    text_format(out, "how this run comes about%s%s, with probability %.6g in total:\n",
                trace->system->chain->kind == CHAIN_MDP ? ", under a scheduler that takes these choices" : "",
                first > 1 ? " (its last steps; -v shows all)" : "", probability);
    text_append(out, text_chars(&steps));
    text_free(&steps);
    likelihood_destroy(likelihood);
}
