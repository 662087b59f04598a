/* exhaust MODEL...: for each model, the group that is found against all permutations of the elements, both on all
 * combinations of values (not only reachable ones):
 *
 *     MODEL found 6 of 6          every generator found is an automorphism; so many there are
 *     MODEL WRONG ...             a generator is none
 *     MODEL audited 6             too many combinations or permutations: only reachable states were looked at
 *
 * Exit status 1 when anything is wrong. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "observe/audit.h"
#include "driver/model.h"
#include "permutation_next.h"
#include "detect/detect.h"

enum { MOST_STATES = 6000, MOST_REACHABLE = 50000, MOST_PERMUTATIONS = 800, MOST_FACTORS = 8, MOST_DEGREE = 8 };

struct walk {
    uint32_t storage[MOST_FACTORS][MOST_DEGREE];
    const uint32_t *images[MOST_FACTORS];
};

static void walk_reset(struct walk *walk, const struct symmetry *symmetry, uint32_t f)
{
    for (uint32_t i = 0; i < symmetry->factors[f].degree; i++)
        walk->storage[f][i] = i;
    walk->images[f] = walk->storage[f];
}

static bool walk_next(struct walk *walk, const struct symmetry *symmetry)
{
    for (uint32_t f = 0; f < symmetry->factor_count; f++) {
        if (permutation_next(walk->storage[f], symmetry->factors[f].degree))
            return true;
        walk_reset(walk, symmetry, f);
    }
    return false;
}

/* Counts the automorphisms among all permutations; 0: too many to try. */
static uint64_t count_automorphisms(struct audit *audit, const struct symmetry *symmetry)
{
    struct walk walk;
    struct text why = {0};
    uint64_t count = 0, all = 1;
    if (symmetry->factor_count > MOST_FACTORS)
        return 0;
    for (uint32_t f = 0; f < symmetry->factor_count; f++) {
        if (symmetry->factors[f].degree > MOST_DEGREE)
            return 0;
        for (uint64_t i = 2; i <= symmetry->factors[f].degree; i++)
            all *= i;
        walk_reset(&walk, symmetry, f);
    }
    if (all > MOST_PERMUTATIONS)
        return 0;
    do {
        text_clear(&why);
        count += audit_permutation(audit, symmetry, walk.images, &why);
    } while (walk_next(&walk, symmetry));
    text_free(&why);
    return count;
}

/* All ranges that index or are run over, as index types. */
static uint64_t count_all(const struct system *system)
{
    struct carriers *carriers = carriers_find(system);
    struct retyped retyped = {0};
    uint64_t count = 0;
    for (uint32_t c = 0; c < carriers->count; c++) {
        struct carrier *carrier = &carriers->items[c];
        carrier->is_wanted = !carrier->is_declared && !carrier->is_slot && carrier->is_state &&
                             carrier->lo < carrier->hi && (carrier->is_index || carrier->is_domain);
    }
    if (retype_system(carriers, &retyped)) {
        struct layout *layout = layout_create(retyped.system);
        struct symmetry *symmetry = symmetry_none(retyped.system);
        struct audit *audit = audit_open(layout, NULL, AUDIT_WHOLE, MOST_STATES);
        for (uint32_t f = 0; f < symmetry->factor_count; f++)
            symmetry->factors[f].is_used = true;
        count = audit ? count_automorphisms(audit, symmetry) : 0;
        audit_close(audit);
        symmetry_destroy(symmetry);
        layout_destroy(layout);
        retype_free(&retyped);
    }
    carriers_destroy(carriers);
    return count;
}

static bool judge(const char *path, const struct model *model)
{
    struct detection found = detect_symmetry(model->system, NULL);
    struct layout *layout = layout_create(found.system);
    struct audit *audit = audit_open(layout, NULL, AUDIT_DEFINITE, MOST_STATES);
    struct text why = {0};
    bool is_whole = audit != NULL;
    if (!audit)
        audit = audit_open(layout, NULL, AUDIT_REACHABLE, MOST_REACHABLE);
    bool is_fine = !audit || audit_symmetry(audit, found.symmetry, &why);
    if (!is_fine) {
        printf("%s WRONG %s\n", path, text_chars(&why));
    } else {
        struct bigint *order = symmetry_order(found.symmetry);
        char *digits = bigint_digits(order);
        uint64_t all = is_whole ? count_all(model->system) : 0;
        if (all)
            printf("%s found %s of %llu\n", path, digits, (unsigned long long)all);
        else
            printf("%s audited %s\n", path, digits);
        free(digits);
        bigint_destroy(order);
    }
    text_free(&why);
    audit_close(audit);
    layout_destroy(layout);
    detection_free(&found);
    return is_fine;
}

int main(int count, char **words)
{
    bool is_fine = true;
    for (int i = 1; i < count; i++) {
        struct diagnostics diagnostics = {0};
        struct source *source = NULL;
        struct model *model = model_load(words[i], NULL, NULL, 0, &diagnostics, &source);
        if (model)
            is_fine &= judge(words[i], model);
        else
            printf("%s WRONG does not load\n", words[i]);
        is_fine &= model != NULL;
        model_destroy(model);
        source_free(source);
        diag_free(&diagnostics);
    }
    return !is_fine;
}
