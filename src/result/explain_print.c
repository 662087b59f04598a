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

/* Parts that are meant where their parent is do not say so again. */
static void print_outcome(const struct explanation *node, const struct explanation *parent, struct text *out)
{
    if (node->variable)
        text_format(out, "with %s = %s  ", node->variable->name, node->witness);
    if (node->outcome == EXPLAINED_VALUE) {
        text_format(out, "%s is %s", node->text, node->value);
        return;
    }
    text_append(out, explanation_outcome_name(node->outcome));
    if (node->has_step && (!parent || parent->step != node->step))
        text_format(out, " after step %u", node->step);
    text_format(out, ": %s", node->text);
}

static void print_node(const struct explanation *node, const struct explanation *parent, const char *indent,
                       uint32_t level, struct text *out)
{
    begin_line(indent, level, out);
    print_outcome(node, parent, out);
    if (node->outcome == EXPLAINED_FAULT && !node->part_count)
        text_format(out, "  %s", node->value);
    print_terms(node, out);
    if (node->note)
        text_format(out, "  (%s)", node->note);
    text_char(out, '\n');
    for (uint32_t i = 0; i < node->part_count; i++)
        print_node(node->parts[i], node, indent, level + 1, out);
    if (!node->omitted)
        return;
    begin_line(indent, level + 1, out);
    text_format(out, node->has_step && !node->elements ? "and %s after %llu more steps\n" : "and %s for %llu more\n",
                explanation_outcome_name(node->outcome), (unsigned long long)node->omitted);
}

void explanation_print(const struct explanation *root, const char *indent, struct text *out)
{
    print_node(root, NULL, indent, 0, out);
}
