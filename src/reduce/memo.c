#include "reduce/reduce.h"

static bool memo_is_same(const struct reduce_options *a, const struct reduce_options *b)
{
    return a->keep_dead == b->keep_dead && a->is_bounded == b->is_bounded &&
           a->leaves_quantified == b->leaves_quantified && a->leaves_untranslated == b->leaves_untranslated &&
           a->liveness_as_ctl == b->liveness_as_ctl;
}

const struct reduction *reduce_remembered(struct reduce_memo *memo, const struct system *system,
                                          const struct reduce_options *options, struct diagnostics *diagnostics)
{
    if (memo->reduction && memo->system == system && memo_is_same(&memo->options, options))
        return memo->reduction;
    reduce_forget(memo);
    *memo = (struct reduce_memo){system, *options, reduce_system(system, options, diagnostics)};
    return memo->reduction;
}

void reduce_forget(struct reduce_memo *memo)
{
    reduction_destroy(memo->reduction);
    *memo = (struct reduce_memo){0};
}
