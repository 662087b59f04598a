/* The next rule that may fire, found without calling those that do not.
 *
 * Most rules of a large model are disabled in most states. What their guards begin with, as far as it only compares
 * cells of the state, stands once more in a few functions, in the order of the rules. Where such a test cannot be
 * evaluated the rule is called, which then faults as it should. Rules that begin with the same tests, as the outcomes
 * of a command do, share them. */
#include <string.h>

#include "exec/native_emit.h"
#include "exec/native_runtime.h"

/* Of the tests of a rule: what comes after so many operators and operands is left to the rule. */
enum { FIND_SIZE = 24 };

/* In a finder a check that fails ends the search at this rule, or at the one asked for if that comes later. */
static const char *const finder_macros =
    "#define fault(run, site, value) found_\n"
    "#define FOUND(first, test) { uint32_t found_ = rule > (first) ? rule : (first); if (test) return found_; }\n\n";

static bool place_is_fixed(struct native_emitter *emitter, const struct place *place)
{
    int64_t index;
    switch (place->kind) {
    case PLACE_VARIABLE:
        return place->variable->is_global;
    case PLACE_FIELD:
        return place_is_fixed(emitter, place->base);
    case PLACE_ELEMENT:
        return place_is_fixed(emitter, place->base) && expr_static_value(&emitter->facts, place->index, &index) &&
               type_has(place->base->type->index, index);
    default:
        return false;
    }
}

/* Its size, or more than FIND_SIZE when it is not of this kind. */
static int size_of_test(struct native_emitter *emitter, const struct expr *expr)
{
    switch (expr->kind) {
    case EXPR_CONST:
        return 1;
    case EXPR_READ:
        return !expr->raw && place_is_fixed(emitter, expr->place) ? 1 : FIND_SIZE + 1;
    case EXPR_IS_UNDEFINED:
        return type_is_scalar(expr->place->type) && place_is_fixed(emitter, expr->place) ? 1 : FIND_SIZE + 1;
    case EXPR_COND:
        return 1 + size_of_test(emitter, expr->condition) + size_of_test(emitter, expr->left) +
               size_of_test(emitter, expr->right);
    case EXPR_UNARY:
        return 1 + size_of_test(emitter, expr->left);
    case EXPR_BINARY:
        return 1 + size_of_test(emitter, expr->left) + size_of_test(emitter, expr->right);
    default:
        return FIND_SIZE + 1;
    }
}

/* Does the loader know whether the rule is to be called? Then nobody asks for it here. */
static bool rule_is_masked(const struct native_emitter *emitter, const struct rule *rule)
{
    bool is_masked = false;
    for (size_t k = 0; k < emitter->masks.count && !is_masked; k++)
        is_masked = emitter->masks.items[k].rule == rule->id;
    return is_masked && loader_is_alone(emitter);
}

/* "(a) && (b)": empty when the rule has to be called in any case. */
static void write_tests(struct native_emitter *emitter, const struct rule *rule)
{
    if (rule_is_masked(emitter, rule))
        return;
    struct rule_plan plan = rule_plan_make(&emitter->facts, rule);
    int size = 0;
    for (size_t i = 0; i < plan.items.count && plan.items.items[i].level == 0 && plan.items.items[i].conjunct; i++) {
        const struct expr *conjunct = plan.items.items[i].conjunct;
        int own = size_of_test(emitter, conjunct);
        if (own > FIND_SIZE - size)
            break;
        size += own;
        text_append(emitter->out, i ? " && (" : "(");
        write_expr(emitter, conjunct);
        text_append(emitter->out, ")");
    }
    rule_plan_free(&plan);
}

static char *tests_of(struct native_emitter *emitter, const struct rule *rule)
{
    struct text text = {0}, *out = emitter->out;
    size_t sites = emitter->source->sites.count;
    emitter->out = &text;
    write_tests(emitter, rule);
    emitter->out = out;
    emitter->source->sites.count = sites; /* nothing faults here: `fault` is another macro */
    char *tests = memory_string(text_chars(&text));
    text_free(&text);
    return tests;
}

static void write_case(struct native_emitter *emitter, size_t first, size_t end, const char *tests)
{
    for (size_t r = first; r < end; r++)
        text_format(emitter->out, "    case %zu:\n", r);
    text_format(emitter->out, "        FOUND(%zu, %s)\n", first, *tests ? tests : "1");
}

static void write_finder(struct native_emitter *emitter, size_t first, size_t end)
{
    struct rule *const *rules = emitter->system->rules.items;
    text_format(emitter->out,
                "static uint32_t find_%zu(struct native_run *run, const int32_t *m, uint32_t rule)\n{\n"
                "    switch (rule) {\n",
                first / NATIVE_FINDER);
    char *tests = tests_of(emitter, rules[first]);
    for (size_t r = first + 1; first < end; r++) {
        char *next = r < end ? tests_of(emitter, rules[r]) : NULL;
        if (next && !strcmp(tests, next)) {
            free(next);
            continue;
        }
        write_case(emitter, first, r, tests);
        free(tests);
        tests = next;
        first = r;
    }
    text_format(emitter->out, "    }\n    (void)run;\n    (void)m;\n    return %zu;\n}\n\n", end);
}

void write_finders(struct native_emitter *emitter)
{
    size_t count = emitter->system->rules.count;
    emitter->level = -1;
    text_append(emitter->out, finder_macros);
    for (size_t first = 0; first < count; first += NATIVE_FINDER)
        write_finder(emitter, first, first + NATIVE_FINDER < count ? first + NATIVE_FINDER : count);
    text_append(emitter->out, "#undef fault\n\nstatic native_finder *const finders[] = {\n");
    for (size_t first = 0; first < count; first += NATIVE_FINDER)
        text_format(emitter->out, "    find_%zu,\n", first / NATIVE_FINDER);
    text_append(emitter->out, "    0,\n};\n");
}
