/* Which processes each rule and each property leaves symmetric, and where it distinguishes others. */
#include <stdlib.h>

#include "report/style.h"
#include "portrait/rule_partition.h"

enum { RULES_MOST_CLASSES = 4 };

static void rules_name(const struct rule_partition *partition, struct text *out)
{
    if (partition->rule)
        text_format(out, "rule \"%s\"", partition->rule->name);
    else
        style_property(partition->property, out);
}

/* "i = 3, 4": who acts in a class. */
static void rules_print_actors(const struct rule_partitions *all, const struct rule_partition *partition,
                               const struct rule_class *class, struct text *out)
{
    const struct roster *roster = all->roster;
    for (uint32_t p = 0; partition->rule && p < partition->rule->parameter_count; p++) {
        const bool *acts = class->acts + (size_t)p * roster->element_count;
        uint32_t e = 0;
        while (e < roster->element_count && !acts[e])
            e++;
        if (e == roster->element_count)
            continue;
        text_format(out, "%s%s = ", out->length ? "; " : "", partition->rule->parameters[p].variable->name);
        rule_partition_print_set(roster, roster->family_of[e], acts, out);
    }
}

static bool class_splits(const struct roster *roster, const struct rule_class *class, uint32_t family)
{
    uint32_t first = roster->families[family].first;
    for (uint32_t e = first; e < first + roster->families[family].size; e++)
        if (class->label_of[e] != first)
            return true;
    return false;
}

static void rules_print_class(const struct rule_partitions *all, const struct rule_partition *partition,
                              const struct rule_class *class, struct text *out)
{
    const struct roster *roster = all->roster;
    struct text actors = {0}, name = {0};
    if (partition->class_count > 1)
        rules_print_actors(all, partition, class, &actors);
    for (uint32_t f = 0; f < roster->family_count; f++) {
        if (!class_splits(roster, class, f))
            continue;
        text_clear(&name);
        type_print(roster->families[f].type, &name);
        text_format(out, "      %s: ", text_chars(&name));
        rule_partition_print_cells(roster, class, f, out);
        if (actors.length)
            text_format(out, "   where %s", text_chars(&actors));
        text_char(out, '\n');
    }
    text_free(&actors);
    text_free(&name);
}

static void rules_print_boundary(const struct roster *roster, const struct rule_boundary *boundary, size_t others,
                                 struct text *out)
{
    const struct type *type = roster->families[roster->family_of[boundary->left]].type;
    struct text message = {0};
    text_append(&message, "here ");
    type_print_value(type, roster->code_of[boundary->left], &message);
    text_append(&message, " and ");
    type_print_value(type, roster->code_of[boundary->right], &message);
    text_append(&message, " are distinguished");
    if (others)
        text_format(&message, " (and %zu other pair%s)", others, others == 1 ? "" : "s");
    struct diagnostic note = {SEVERITY_NOTE, boundary->span, message.chars, NULL, false};
    diag_print_one(&note, out);
    text_free(&message);
}

static bool span_equals(struct span left, struct span right)
{
    return left.line == right.line && left.column == right.column;
}

/* Each place once. */
static void rules_print_boundaries(const struct rule_partitions *all, const struct rule_partition *partition,
                                   struct text *out)
{
    VEC(const struct rule_boundary *) list = {0};
    for (uint32_t c = 0; c < partition->class_count; c++)
        for (uint32_t b = 0; b < partition->classes[c].boundary_count; b++)
            VEC_PUSH(&list, &partition->classes[c].boundaries[b]);
    for (size_t i = 0; i < list.count; i++) {
        size_t others = 0;
        bool is_first = true;
        for (size_t j = 0; j < i && is_first; j++)
            is_first = !span_equals(list.items[j]->span, list.items[i]->span);
        for (size_t j = i + 1; j < list.count; j++)
            others += span_equals(list.items[j]->span, list.items[i]->span);
        if (is_first)
            rules_print_boundary(all->roster, list.items[i], others, out);
    }
    VEC_FREE(&list);
}

static void rules_print_one(const struct rule_partitions *all, const struct rule_partition *partition,
                            const struct report_style *style, struct text *out)
{
    struct text name = {0}, place = {0};
    rules_name(partition, &name);
    text_append(out, "  ");
    if (partition->not_analysed) {
        style_paint(style, COLOUR_DOUBT, out, "%-11s", "not known");
        style_place(partition->not_analysed_span, &place);
        text_format(out, " %s: %s%s%s\n", name.chars, partition->not_analysed, place.length ? ", " : "",
                    text_chars(&place));
    } else if (!partition->class_count) {
        text_format(out, "%-11s %s\n", "never fires", name.chars);
    } else if (rule_partition_is_symmetric(partition)) {
        style_paint(style, COLOUR_GOOD, out, "%-11s", "symmetric");
        text_format(out, " %s\n", name.chars);
    } else {
        style_paint(style, COLOUR_DOUBT, out, "%-11s", "partly");
        text_format(out, " %s\n", name.chars);
        uint32_t shown = partition->class_count > RULES_MOST_CLASSES && !style->verbose ? RULES_MOST_CLASSES
                                                                                        : partition->class_count;
        for (uint32_t c = 0; c < shown; c++)
            rules_print_class(all, partition, &partition->classes[c], out);
        if (shown < partition->class_count)
            text_format(out, "      and %u more (-v shows all)\n", partition->class_count - shown);
        rules_print_boundaries(all, partition, out);
    }
    text_free(&name);
    text_free(&place);
}

void report_text_rules(const struct rule_partitions *partitions, const struct report_style *style, struct text *out)
{
    text_char(out, '\n');
    style_paint(style, COLOUR_STRONG, out, "rules");
    if (partitions->not_analysed) {
        text_format(out, ": not analysed: %s\n", partitions->not_analysed);
        return;
    }
    text_append(out, ": which processes each leaves symmetric\n");
    for (uint32_t i = 0; i < partitions->count; i++)
        rules_print_one(partitions, &partitions->items[i], style, out);
}

static struct json *element_to_json(const struct roster *roster, uint32_t element)
{
    struct text name = {0};
    type_print_value(roster->families[roster->family_of[element]].type, roster->code_of[element], &name);
    struct json *text = json_make_text(text_chars(&name));
    text_free(&name);
    return text;
}

static struct json *cells_to_json(const struct roster *roster, const struct rule_class *class, uint32_t family)
{
    struct json *cells = json_make_array();
    uint32_t first = roster->families[family].first, end = first + roster->families[family].size;
    for (uint32_t e = first; e < end; e++) {
        if (class->label_of[e] != e)
            continue;
        struct json *cell = json_make_array();
        for (uint32_t other = e; other < end; other++)
            if (class->label_of[other] == e)
                json_push(cell, element_to_json(roster, other));
        json_push(cells, cell);
    }
    return cells;
}

static struct json *actors_to_json(const struct roster *roster, const struct rule_partition *partition,
                                   const struct rule_class *class)
{
    struct json *object = json_make_object();
    for (uint32_t p = 0; partition->rule && p < partition->rule->parameter_count; p++) {
        struct json *list = json_make_array();
        for (uint32_t e = 0; e < roster->element_count; e++)
            if (class->acts[(size_t)p * roster->element_count + e])
                json_push(list, element_to_json(roster, e));
        json_set(object, partition->rule->parameters[p].variable->name, list);
    }
    return object;
}

static struct json *boundary_to_json(const struct roster *roster, const struct rule_boundary *boundary)
{
    struct json *object = json_make_object(), *pair = json_make_array();
    json_push(pair, element_to_json(roster, boundary->left));
    json_push(pair, element_to_json(roster, boundary->right));
    json_set(object, "between", pair);
    json_set(object, "line", json_make_integer(boundary->span.line));
    json_set(object, "column", json_make_integer(boundary->span.column));
    return object;
}

static struct json *class_to_json(const struct roster *roster, const struct rule_partition *partition,
                                  const struct rule_class *class)
{
    struct json *object = json_make_object(), *cells = json_make_object(), *boundaries = json_make_array();
    struct text name = {0};
    for (uint32_t f = 0; f < roster->family_count; f++) {
        text_clear(&name);
        type_print(roster->families[f].type, &name);
        json_set(cells, text_chars(&name), cells_to_json(roster, class, f));
    }
    for (uint32_t b = 0; b < class->boundary_count; b++)
        json_push(boundaries, boundary_to_json(roster, &class->boundaries[b]));
    json_set(object, "actors", actors_to_json(roster, partition, class));
    json_set(object, "cells", cells);
    json_set(object, "boundaries", boundaries);
    text_free(&name);
    return object;
}

struct json *report_json_rules(const struct rule_partitions *partitions)
{
    struct json *list = json_make_array();
    for (uint32_t i = 0; i < partitions->count; i++) {
        const struct rule_partition *partition = &partitions->items[i];
        struct json *object = json_make_object(), *classes = json_make_array();
        for (uint32_t c = 0; c < partition->class_count; c++)
            json_push(classes, class_to_json(partitions->roster, partition, &partition->classes[c]));
        json_set(object, "kind",
                 json_make_text(partition->rule ? "rule" : property_kind_name(partition->property->kind)));
        json_set(object, "name", json_make_text(partition->rule ? partition->rule->name : partition->property->name));
        json_set(object, "line",
                 json_make_integer(partition->rule ? partition->rule->span.line : partition->property->span.line));
        json_set(object, "not_analysed", json_make_text(partition->not_analysed));
        json_set(object, "classes", classes);
        json_push(list, object);
    }
    return list;
}
