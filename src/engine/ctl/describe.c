/* The automaton of a formula in words. */
#include "engine/ctl/linear.h"
#include "ir/print.h"

/* More are only counted: a text that long is not read. */
enum { DESCRIBE_STATES = 64 };

/* "at[p] = Want", with the values of quantifiers that were written out: "at[q] = Want (q: Proc_2)". */
static void describe_atom(const struct linear_atom *atom, bool is_negated, struct text *out)
{
    text_append(out, is_negated ? "!(" : "");
    ir_print_claim(atom->proposition->formula, out);
    text_append(out, is_negated ? ")" : "");
    for (size_t i = 0; i < atom->binding_count; i++) {
        text_format(out, "%s%s: ", i ? ", " : " (", atom->bindings[i].variable->name);
        type_print_value(atom->bindings[i].variable->type, atom->bindings[i].value, out);
    }
    text_append(out, atom->binding_count ? ")" : "");
}

static void describe_label(const struct linear_case *linear, struct logic_label label, struct text *out)
{
    bool is_first = true;
    for (size_t a = 0; a < linear->claim.atoms.count; a++) {
        bool is_positive = label.positive >> a & 1, is_negative = label.negative >> a & 1;
        if (!is_positive && !is_negative)
            continue;
        text_append(out, is_first ? " if " : " and ");
        describe_atom(&linear->claim.atoms.items[a], is_negative, out);
        is_first = false;
    }
}

static void describe_edge(const struct linear_case *linear, const struct automaton_edge *edge, struct text *out)
{
    text_format(out, "to %u", (unsigned)edge->target);
    describe_label(linear, edge->label, out);
    for (uint32_t m = 0; m < linear->automaton->mark_count; m++)
        if (edge->marks >> m & 1)
            text_format(out, ", mark %u", (unsigned)m + 1);
}

char *linear_describe(const struct linear_case *linear)
{
    const struct automaton *automaton = linear->automaton;
    struct text out = {0};
    for (uint32_t s = 0; s < automaton->state_count && s < DESCRIBE_STATES; s++) {
        text_format(&out, "%sstate %u%s: ", s ? "\n" : "", (unsigned)s, s == automaton->start ? " (start)" : "");
        for (uint32_t e = automaton->first[s]; e < automaton->first[s + 1]; e++) {
            text_append(&out, e > automaton->first[s] ? "; " : "");
            describe_edge(linear, &automaton->edges[e], &out);
        }
    }
    if (automaton->state_count > DESCRIBE_STATES)
        text_format(&out, "\nand %u states more", (unsigned)automaton->state_count - DESCRIBE_STATES);
    return out.chars;
}
