/* What `noether reduce` writes is a model in its own right: it is read again and explored plainly. */
#include <string.h>

#include "base/watch.h"
#include "driver/reduce.h"
#include "lang/murphi/murphi.h"
#include "detect/detect.h"
#include "ways.h"

enum { WRITTEN_STATES = 20000 };

static bool has_formula(const struct property *property)
{
    return property->formula || property->ctl || property->ltl;
}

static const struct property *find_property(const struct system *system, const struct property *wanted)
{
    for (size_t i = 0; i < system->properties.count; i++)
        if (system->properties.items[i]->kind == wanted->kind &&
            !strcmp(system->properties.items[i]->name, wanted->name))
            return system->properties.items[i];
    return NULL;
}

/* Does something fail, apart from deadlocks? */
static bool is_violated(struct plain *plain, enum deadlock_mode deadlock, bool only_faults)
{
    bool is = false;
    for (size_t i = 0; i < plain->system->properties.count; i++) {
        const struct property *property = plain->system->properties.items[i];
        if (property->kind != PROPERTY_DEADLOCK && property->kind != PROPERTY_COVER &&
            !(only_faults && has_formula(property)))
            is |= plain_outcome(plain, property, deadlock)->is_shown;
    }
    return is;
}

static void compare_verdicts(struct plain *plain, struct plain *other, enum deadlock_mode deadlock, bool is_whole,
                             struct failure *failure)
{
    for (size_t i = 0; i < plain->system->properties.count; i++) {
        const struct property *property = plain->system->properties.items[i];
        const struct property *twin = has_formula(property) ? find_property(other->system, property) : NULL;
        if (twin &&
            plain_outcome(plain, property, deadlock)->is_shown != plain_outcome(other, twin, deadlock)->is_shown)
            failure_set(failure, "%s \"%s\" is shown in one of them only", property_kind_name(property->kind),
                        property->name);
    }
    if (is_whole && is_violated(plain, deadlock, false) != is_violated(other, deadlock, false))
        failure_set(failure, "something is violated in one of them only");
    if (!is_whole && is_violated(plain, deadlock, true) && !is_violated(other, deadlock, false))
        failure_set(failure, "nothing is violated in it, though something fails");
}

/* With all local values kept there is a state for each orbit; for fewer orbits where more is interchangeable than
 * declared. */
static void compare_count(const struct plain *plain, const struct plain *other, uint64_t orbits,
                          struct failure *failure)
{
    struct detection detection = detect_symmetry(plain->system, NULL);
    bool is_declared = !detection.retyped.system;
    detection_free(&detection);
    if (is_declared ? plain_count(other) != orbits : plain_count(other) > orbits)
        failure_set(failure, "%u states, but there are %llu orbits", plain_count(other), (unsigned long long)orbits);
}

static bool compare_text(struct plain *plain, const struct source *source, uint64_t orbits, enum deadlock_mode deadlock,
                         bool is_whole, struct manner manner, struct failure *failure)
{
    struct diagnostics diagnostics = {0};
    struct reading reading = {.manner = manner};
    struct system *system = murphi_read(source, &reading, &diagnostics);
    bool is_compared = false;
    if (!system && strstr(diagnostics.items[0].message, "nested more than"))
        ; /* a choice among very many local states */
    else if (!system) {
        diag_print(&diagnostics, &failure->what);
        failure_set(failure, "it is not accepted");
    } else {
        struct layout *layout = layout_create(system);
        struct plain *other = plain_explore(layout, WRITTEN_STATES);
        is_compared = !other->is_truncated;
        if (is_compared && orbits)
            compare_count(plain, other, orbits, failure);
        if (is_compared)
            compare_verdicts(plain, other, deadlock, is_whole, failure);
        plain_destroy(other);
        layout_destroy(layout);
        system_destroy(system);
    }
    diag_free(&diagnostics);
    return is_compared;
}

bool written_compare(struct plain *plain, const struct model *model, uint64_t orbits, enum deadlock_mode deadlock,
                     const volatile int *interrupted, char **refusal, struct failure *failure)
{
    struct watch watch;
    struct diagnostics diagnostics = {0};
    struct reduce_summary summary;
    struct text text = {0}, properties = {0};
    bool is_compared = false;
    watch_begin(&watch, 0, interrupted);
    bool is_written = reduce_model(model, true, &diagnostics, &text, &properties, &summary) && !watch_is_up();
    watch_end(&watch);
    if (is_written) {
        struct source *source = source_from_text("written.m", text_chars(&text), text.length);
        is_compared = compare_text(plain, source, orbits, summary.remark ? DEADLOCK_STUCK : deadlock, !summary.left_out,
                                   model->manner, failure);
        source_free(source);
    } else if (diagnostics.count)
        *refusal = memory_string(diagnostics.items[0].message);
    diag_free(&diagnostics);
    text_free(&text);
    text_free(&properties);
    return is_compared;
}
