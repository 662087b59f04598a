#include "cli/certificate.h"

#include <string.h>
#include <sys/stat.h>

#include "ranks/transport.h"
#include "verify/measure.h"

static void say_why(const char *why)
{
    cli_fail("%s", why);
}

bool certificate_is_possible(const struct options *options, const struct model *model)
{
    struct engine_options engine = {
        .partial_order = (enum partial_order)options_choice(options, OPTION_REDUCTION),
        .hash_compact = options->values[OPTION_HASH_COMPACT] != NULL,
        .representative = (enum representative)options_choice(options, OPTION_REPRESENTATIVE),
        .is_exact = options->values[OPTION_EXACT] != NULL,
        .is_fair = options->values[OPTION_FAIR] != NULL,
    };
    const char *path = options->values[OPTION_CERTIFICATE];
    struct stat status;
    bool is_first = !options->transport || !options->transport->rank; /* the files of others get no name */
    if (!path)
        return true;
    if (is_first && (!strcmp(path, "-") || (!stat(path, &status) && !S_ISREG(status.st_mode)))) {
        cli_fail("--certificate: %s is no regular file: a certificate appears when it is complete", path);
        return false;
    }
    struct arena *words = arena_create();
    const char *refusal =
        certify_refusal(model, (enum engine_choice)options_choice(options, OPTION_ENGINE),
                        (enum symmetry_choice)options_choice(options, OPTION_SYMMETRY), &engine, words);
    if (refusal)
        cli_fail("--certificate: %s", refusal);
    arena_destroy(words);
    return !refusal;
}

/* "not part of the certificate: "S=? [ x ]" (it is no probability ...)" */
static void say_unmeasured(const struct system *system)
{
    for (size_t p = 0; p < system->properties.count; p++) {
        const struct property *property = system->properties.items[p];
        const char *refusal = property->kind == PROPERTY_PCTL ? measure_refusal(system, property) : NULL;
        if (refusal)
            cli_fail("not part of the certificate: \"%s\" (%s)", property->name, refusal);
    }
}

/* "not part of the certificate: ltl "live", cover "reached"" */
static void say_left_out(const struct system *system)
{
    struct text text = {0};
    for (size_t p = 0; p < system->properties.count; p++) {
        const struct property *property = system->properties.items[p];
        if (!verify_covers(property) && property->kind != PROPERTY_FAIRNESS)
            text_format(&text, "%s%s \"%s\"", text.length ? ", " : "", property_kind_name(property->kind),
                        property->name ? property->name : "");
    }
    if (text.length)
        cli_fail("not part of the certificate, which is about single states and steps: %s", text_chars(&text));
    text_free(&text);
}

struct certifier *certificate_begin(const struct options *options, const struct model *model,
                                    enum engine_choice *choice, enum symmetry_choice *symmetry,
                                    struct engine_options *engine)
{
    const char *path = options->values[OPTION_CERTIFICATE];
    if (!path || options->command != COMMAND_CHECK)
        return NULL;
    bool is_about_numbers = system_has_probabilities(model->system);
    *choice = is_about_numbers ? ENGINE_PROBABILISTIC : ENGINE_EXPLICIT;
    *symmetry = is_about_numbers ? SYMMETRY_OFF : *symmetry;
    (is_about_numbers ? say_unmeasured : say_left_out)(model->system);
    return certify_begin(model, path, engine, say_why);
}

bool certificate_end(const struct options *options, struct certifier *certifier, const struct result *result)
{
    bool is_failure;
    if (!certifier)
        return true;
    const char *why = certify_end(certifier, result, &is_failure);
    if (why && is_failure)
        cli_fail("cannot write %s: %s", options->values[OPTION_CERTIFICATE], why);
    else if (why)
        cli_fail("no certificate: %s", why);
    return !is_failure;
}
