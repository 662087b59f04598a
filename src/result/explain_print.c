#include "base/text.h"
#include "result/explain_formula.h"

const char *explanation_outcome_name(enum explanation_outcome outcome)
{
    static const char *const names[] = {
        [EXPLAINED_FALSE] = "false", [EXPLAINED_TRUE] = "true",           [EXPLAINED_VALUE] = "value",
        [EXPLAINED_FAULT] = "fails", [EXPLAINED_DISCARDED] = "discarded",
    };
    return names[outcome];
}

static void begin_line(const char *indent, uint32_t level, struct text *out)
{
    text_append(out, indent);
    for (uint32_t i = 0; i < level; i++)
        text_append(out, "  ");
}

static void print_terms(const struct explanation *node, struct text *out)
{
    for (uint32_t i = 0; i < node->term_count; i++)
        text_format(out, "%s%s is %s", i ? ", " : "  (", node->terms[i].name, node->terms[i].value);
    text_append(out, node->term_count ? ")" : "");
}

static void print_node(const struct explanation *node, const char *indent, uint32_t level, struct text *out)
{
    begin_line(indent, level, out);
    if (node->variable)
        text_format(out, "with %s = %s  ", node->variable->name, node->witness);
    if (node->outcome == EXPLAINED_VALUE)
        text_format(out, "%s is %s", node->text, node->value);
    else
        text_format(out, "%s: %s", explanation_outcome_name(node->outcome), node->text);
    if (node->outcome == EXPLAINED_FAULT && !node->part_count)
        text_format(out, "  %s", node->value);
    print_terms(node, out);
    text_char(out, '\n');
    for (uint32_t i = 0; i < node->part_count; i++)
        print_node(node->parts[i], indent, level + 1, out);
    if (!node->omitted)
        return;
    begin_line(indent, level + 1, out);
    text_format(out, "and %s for %llu more\n", explanation_outcome_name(node->outcome),
                (unsigned long long)node->omitted);
}

void explanation_print(const struct explanation *root, const char *indent, struct text *out)
{
    print_node(root, indent, 0, out);
}
