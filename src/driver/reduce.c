#include "driver/reduce.h"

#include "driver/counted.h"
#include "lang/murphi/murphi.h"
#include "reduce/reduce.h"

static bool reduce_murphi(const struct model *model, bool keep_dead, struct diagnostics *diagnostics, struct text *out,
                          struct reduce_summary *summary)
{
    struct reduce_options options = {.keep_dead = keep_dead};
    struct reduction *reduction = reduce_system(model->system, &options, diagnostics);
    if (!reduction)
        return false;
    *summary = (struct reduce_summary){reduction_locations(reduction), reduction_system(reduction)->rules.count,
                                       reduction_remark(reduction)};
    text_format(out, "-- %s, counted: how many processes are in which local state (noether reduce).\n",
                model->system->name);
    if (summary->remark)
        text_format(out, "-- Note: %s.\n", summary->remark);
    text_char(out, '\n');
    bool ok = murphi_write(reduction_system(reduction), out);
    if (!ok)
        diag_error(diagnostics, (struct span){0}, "operations on bits cannot be written as Murphi");
    reduction_destroy(reduction);
    return ok;
}

static bool reduce_prism(const struct model *model, struct diagnostics *diagnostics, struct text *out,
                         struct text *properties, struct reduce_summary *summary)
{
    struct prism_reduced reduced;
    if (!counted_texts(model, diagnostics, &reduced))
        return false;
    *summary = (struct reduce_summary){reduced.counters, reduced.commands, NULL};
    text_append(out, text_chars(&reduced.model));
    text_append(properties, text_chars(&reduced.properties));
    prism_reduced_free(&reduced);
    return true;
}

bool reduce_model(const struct model *model, bool keep_dead, struct diagnostics *diagnostics, struct text *out,
                  struct text *properties, struct reduce_summary *summary)
{
    return model->system->chain ? reduce_prism(model, diagnostics, out, properties, summary)
                                : reduce_murphi(model, keep_dead, diagnostics, out, summary);
}
