#include "compare.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "driver/check.h"
#include "report/report.h"

enum { MAX_STATES = 150, MAX_DEPTH = 30, ENGINES = ENGINE_PROBABILISTIC + 1, SYMMETRIES = SYMMETRY_OFF + 1 };

static struct engine_options tiny_options(enum engine_choice choice)
{
    bool has_stepper = choice != ENGINE_ADAPTIVE && choice != ENGINE_COMPLETE && choice != ENGINE_SYMBOLIC;
    return (struct engine_options){
        .keep_going = true,
        .threads = 1,
        .stepper = has_stepper ? STEPPER_VM : STEPPER_AUTO, /* no compiler is started */
        .limits = {.memory_bytes = (uint64_t)64 << 20, .states = MAX_STATES, .seconds = 0.1, .depth = MAX_DEPTH},
    };
}

static struct check check_plainly(const struct model *model)
{
    enum engine_choice choice = system_has_probabilities(model->system) ? ENGINE_PROBABILISTIC : ENGINE_EXPLICIT;
    struct engine_options options = tiny_options(choice);
    return check_model(model, choice, SYMMETRY_OFF, &options);
}

static struct check check_in_way(const struct model *model, unsigned way)
{
    enum engine_choice choice = (enum engine_choice)(way % ENGINES);
    struct engine_options options = tiny_options(choice);
    way /= ENGINES;
    enum symmetry_choice symmetry = (enum symmetry_choice)(way % SYMMETRIES);
    way /= SYMMETRIES;
    options.threads = 1 + way % 2;
    options.order = way / 2 % 2 && choice == ENGINE_EXPLICIT ? SEARCH_DEPTH_FIRST : SEARCH_BREADTH_FIRST;
    options.witness = way / 4 % 2;
    options.is_exact = way / 8 % 2 && choice == ENGINE_PROBABILISTIC;
    return check_model(model, choice, symmetry, &options);
}

static void show(const struct model *model, const struct check *check)
{
    struct report report = {.model = model->source->path,
                            .layout = check->layout,
                            .symmetry = check->symmetry,
                            .result = check->result,
                            .source = model->source,
                            .refusal = check->refusal};
    struct report_style style = {.verbose = true};
    struct text text = {0};
    if (check->result) {
        report_text(&report, &style, &text);
        struct json *answer = report_json(&report);
        json_print(answer, &text);
        json_free(answer);
    }
    struct json *findings = report_sarif(&report);
    json_print(findings, &text);
    json_free(findings);
    text_free(&text);
}

static bool is_same_property(const struct property *a, const struct property *b)
{
    return a->kind == b->kind && !a->name == !b->name && (!a->name || !strcmp(a->name, b->name));
}

static void differ(const struct property_result *a, const struct property_result *b)
{
    fprintf(stderr, "two ways differ on %s %s: verdicts %d and %d, values %d [%.17g, %.17g] and %d [%.17g, %.17g]\n",
            property_kind_name(a->property->kind), a->property->name ? a->property->name : "", (int)a->verdict,
            (int)b->verdict, a->has_value, a->lower, a->upper, b->has_value, b->lower, b->upper);
    UNREACHABLE("two ways to check a model differ");
}

static void compare_results(const struct result *a, const struct result *b)
{
    size_t count = a->system->properties.count;
    if (count != b->system->properties.count)
        return;
    for (size_t i = 0; i < count; i++) {
        const struct property_result *x = &a->properties[i], *y = &b->properties[i];
        if (!a->checked[i] || !b->checked[i] || !is_same_property(x->property, y->property))
            continue;
        if (x->verdict != VERDICT_UNKNOWN && y->verdict != VERDICT_UNKNOWN && x->verdict != y->verdict)
            differ(x, y);
        if (x->has_value && y->has_value && x->is_range == y->is_range && (x->lower > y->upper || y->lower > x->upper))
            differ(x, y);
    }
}

void compare_ways(const struct model *model, unsigned way)
{
    struct check plain = check_plainly(model), other = check_in_way(model, way);
    if (plain.result && other.result)
        compare_results(plain.result, other.result);
    show(model, &plain);
    show(model, &other);
    check_free(&other);
    check_free(&plain);
}
