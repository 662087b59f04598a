#include "driver/inquiry.h"

#include <stdlib.h>
#include <string.h>

#include "exec/probe.h"
#include "ir/face.h"
#include "report/value.h"
#include "result/explain_formula.h"

/* What is asked for may be a part of the state as users see it (ir/face.h). */
struct inquiry {
    const struct layout *shown;
    const struct face_part *part; /* NULL: it is an expression */
    struct question question;
    struct source *text;
    struct system *system;
    struct layout *layout;
    struct probe *probe;
};

static void check_condition(const struct inquiry *inquiry, struct diagnostics *diagnostics)
{
    if (inquiry->question.type->kind == TYPE_BOOL)
        return;
    struct text type = {0};
    type_print(inquiry->question.type, &type);
    struct span whole = {inquiry->text, 1, 1, (uint32_t)strlen(inquiry->text->text)};
    diag_error(diagnostics, whole, "a condition must be boolean, not %s", text_chars(&type));
    text_free(&type);
}

static const struct face_part *find_part(const struct face *face, const char *name)
{
    for (size_t i = 0; face && i < face->parts.count; i++)
        if (!strcmp(face->parts.items[i].name, name))
            return &face->parts.items[i];
    return NULL;
}

struct inquiry *inquiry_create(const struct model *model, const char *expression, bool is_condition,
                               struct text *message)
{
    struct diagnostics diagnostics = {0};
    struct inquiry *inquiry = memory_zeroed(1, sizeof *inquiry);
    inquiry->text = source_from_text("expression", expression, strlen(expression));
    inquiry->question.text = inquiry->text;
    inquiry->shown = model->layout;
    inquiry->part = is_condition ? NULL : find_part(model->system->face, expression);
    if (inquiry->part)
        return inquiry;
    inquiry->system = model_ask(model, &inquiry->question, &diagnostics);
    if (inquiry->system && is_condition)
        check_condition(inquiry, &diagnostics);
    if (diagnostics.errors) {
        diag_print(&diagnostics, message);
        inquiry_destroy(inquiry);
        inquiry = NULL;
    } else {
        inquiry->layout = layout_create(inquiry->system);
        inquiry->probe = probe_create(inquiry->layout);
        ENSURE(inquiry->layout->cell_count == model->layout->cell_count);
    }
    diag_free(&diagnostics);
    return inquiry;
}

void inquiry_destroy(struct inquiry *inquiry)
{
    if (!inquiry)
        return;
    if (inquiry->probe)
        probe_destroy(inquiry->probe);
    layout_destroy(inquiry->layout);
    system_destroy(inquiry->system);
    source_free(inquiry->text);
    free(inquiry);
}

const char *inquiry_text(const struct inquiry *inquiry)
{
    return inquiry->text->text;
}

enum truth inquiry_holds(struct inquiry *inquiry, const int32_t *cells, struct fault *fault)
{
    int64_t value;
    probe_load(inquiry->probe, cells);
    switch (probe_value(inquiry->probe, inquiry->question.value, &value, fault)) {
    case PROBE_VALUE:
        return value == 1 ? TRUTH_TRUE : TRUTH_FALSE; /* a variable that is undefined is not true */
    case PROBE_FAULT:
        return TRUTH_FAULT;
    default:
        return TRUTH_FALSE;
    }
}

void inquiry_explain(const struct inquiry *inquiry, const int32_t *cells, struct text *out)
{
    struct explanation *root = explain_formula(inquiry->layout, inquiry->question.value, cells);
    explanation_print(root, "  ", out);
    explanation_destroy(root);
}

static void print_scalar(const struct type *type, int64_t value, struct text *out)
{
    if (value >= INT32_MIN && value <= INT32_MAX)
        type_print_value(type, (int32_t)value, out);
    else
        text_format(out, "%lld", (long long)value);
}

static void print_aggregate(struct inquiry *inquiry, uint32_t address, struct text *out)
{
    const struct type *type = inquiry->question.type;
    int32_t *cells = memory_zeroed(type->cells + 1, sizeof *cells);
    for (uint32_t i = 0; i < type->cells; i++)
        cells[i] = probe_cell(inquiry->probe, address + i);
    value_print(type, cells, out);
    free(cells);
}

static void print_part(const struct inquiry *inquiry, const int32_t *cells, struct text *out)
{
    const struct face *face = inquiry->shown->system->face;
    if (!face_part_is_there(face, inquiry->part, cells))
        text_append(out, "there is no such process now");
    else if (face_prints(inquiry->part))
        face_print(face, inquiry->part, cells, out);
    else
        value_print(inquiry->part->type, cells + face_address(inquiry->part), out);
}

void inquiry_print(struct inquiry *inquiry, const int32_t *cells, struct text *out)
{
    if (inquiry->part) {
        print_part(inquiry, cells, out);
        return;
    }
    const struct question *question = &inquiry->question;
    struct fault fault;
    int64_t value = 0;
    uint32_t address = 0;
    probe_load(inquiry->probe, cells);
    enum probe_outcome outcome = question->value ? probe_value(inquiry->probe, question->value, &value, &fault)
                                                 : probe_place(inquiry->probe, question->place, &address, &fault);
    if (outcome == PROBE_FAULT) {
        text_append(out, "fails: ");
        fault_print(&fault, out);
    } else if (outcome == PROBE_DISCARDED) {
        text_append(out, "an assumption is broken");
    } else if (question->value) {
        print_scalar(question->type, value, out);
    } else {
        print_aggregate(inquiry, address, out);
    }
}
