/* Formulas as SMT-LIB text (Barrett, Fontaine, Tinelli: The SMT-LIB Standard, version 2.6). */
#include <stdlib.h>

#include "smt/term.h"

void terms_print_declarations(const struct fol_store *terms, struct text *out)
{
    text_append(out, "(set-logic UF)\n");
    for (size_t s = 1; s < terms->sorts.count; s++)
        text_format(out, "(declare-sort |%s| 0)\n", terms->sorts.items[s]);
    for (size_t i = 0; i < terms->symbols.count; i++) {
        const struct symbol_about *about = &terms->symbols.items[i];
        text_format(out, "(declare-fun |%s| (", about->name);
        for (uint32_t a = 0; a < about->count; a++)
            text_format(out, "%s|%s|", a ? " " : "", terms->sorts.items[about->sorts[a]]);
        text_format(out, about->sort ? ") |%s|)\n" : ") %s)\n", terms->sorts.items[about->sort]);
    }
}

void writer_open(struct term_writer *writer, const struct fol_store *terms, struct text *out)
{
    uint32_t room = (uint32_t)terms->nodes.count;
    *writer = (struct term_writer){.terms = terms, .out = out, .room = room};
    writer->uses = memory_zeroed(room, sizeof *writer->uses);
    writer->names = memory_zeroed(room, sizeof *writer->names);
    writer->is_declared = memory_zeroed(room, sizeof *writer->is_declared);
}

void writer_close(struct term_writer *writer)
{
    free(writer->uses);
    free(writer->names);
    free(writer->is_declared);
}

void writer_count(struct term_writer *writer, term t)
{
    const struct fol_node *node = fol_at(writer->terms, t);
    if (writer->uses[t]++)
        return;
    for (uint32_t i = 0; i < node->count; i++)
        writer_count(writer, node->parts[i]);
}

static void put_variable(struct term_writer *writer, term t)
{
    text_format(writer->out, "x%u", fol_at(writer->terms, t)->symbol);
}

static void put_node(struct term_writer *writer, term t)
{
    static const char *const operators[] = {
        [TERM_EQUALITY] = "=",     [TERM_NEGATION] = "not", [TERM_CONJUNCTION] = "and",
        [TERM_DISJUNCTION] = "or", [TERM_CHOICE] = "ite",
    };
    const struct fol_node *node = fol_at(writer->terms, t);
    struct text *out = writer->out;
    switch (node->kind) {
    case TERM_CONSTANT:
        text_append(out, t == TERM_TRUE ? "true" : "false");
        return;
    case TERM_VARIABLE:
        put_variable(writer, t);
        return;
    case TERM_UNIVERSAL:
    case TERM_EXISTENTIAL:
        text_append(out, node->kind == TERM_UNIVERSAL ? "(forall ((" : "(exists ((");
        put_variable(writer, node->parts[0]);
        text_format(out, " |%s|)) ", writer->terms->sorts.items[fol_at(writer->terms, node->parts[0])->sort]);
        writer_put(writer, node->parts[1]);
        text_append(out, ")");
        return;
    case TERM_APPLICATION:
        text_format(out, node->count ? "(|%s|" : "|%s|", writer->terms->symbols.items[node->symbol].name);
        break;
    default:
        text_format(out, "(%s", operators[node->kind]);
    }
    for (uint32_t i = 0; i < node->count; i++) {
        text_append(out, " ");
        writer_put(writer, node->parts[i]);
    }
    text_append(out, node->count ? ")" : "");
}

void writer_put(struct term_writer *writer, term t)
{
    const struct fol_node *node = fol_at(writer->terms, t);
    if (!writer->names[t]) {
        put_node(writer, t);
        return;
    }
    text_format(writer->out, node->frees.count ? "(d%u" : "d%u", writer->names[t] - 1);
    for (uint32_t i = 0; i < node->frees.count; i++) {
        text_append(writer->out, " ");
        put_variable(writer, node->frees.items[i]);
    }
    text_append(writer->out, node->frees.count ? ")" : "");
}

static void define_node(struct term_writer *writer, term t)
{
    const struct fol_node *node = fol_at(writer->terms, t);
    text_format(writer->out, "(define-fun d%u (", writer->defined);
    for (uint32_t i = 0; i < node->frees.count; i++) {
        text_append(writer->out, i ? " (" : "(");
        put_variable(writer, node->frees.items[i]);
        text_format(writer->out, " |%s|)",
                    writer->terms->sorts.items[fol_at(writer->terms, node->frees.items[i])->sort]);
    }
    text_format(writer->out, node->sort ? ") |%s| " : ") %s ", writer->terms->sorts.items[node->sort]);
    put_node(writer, t);
    text_append(writer->out, ")\n");
    writer->names[t] = ++writer->defined;
}

/* An atom about variables, or its negation, is as short as a name. */
static bool is_short(const struct fol_store *terms, term t)
{
    const struct fol_node *node = fol_at(terms, t);
    if (node->kind == TERM_NEGATION)
        return is_short(terms, node->parts[0]);
    for (uint32_t i = 0; i < node->count; i++)
        if (fol_at(terms, node->parts[i])->kind != TERM_VARIABLE)
            return false;
    return node->kind <= TERM_EQUALITY;
}

static void writer_define(struct term_writer *writer, term t)
{
    const struct fol_node *node = fol_at(writer->terms, t);
    ENSURE(t < writer->room);
    if (writer->names[t] || node->kind <= TERM_VARIABLE)
        return;
    bool binds = node->kind == TERM_UNIVERSAL || node->kind == TERM_EXISTENTIAL;
    for (uint32_t i = binds ? 1 : 0; i < node->count; i++)
        writer_define(writer, node->parts[i]);
    if (writer->uses[t] > 1 && !is_short(writer->terms, t))
        define_node(writer, t);
}

static void declare_frees(struct term_writer *writer, term t)
{
    const struct term_frees *frees = &fol_at(writer->terms, t)->frees;
    for (uint32_t i = 0; i < frees->count; i++) {
        if (writer->is_declared[frees->items[i]])
            continue;
        writer->is_declared[frees->items[i]] = true;
        text_append(writer->out, "(declare-const ");
        put_variable(writer, frees->items[i]);
        text_format(writer->out, " |%s|)\n", writer->terms->sorts.items[fol_at(writer->terms, frees->items[i])->sort]);
    }
}

void writer_prepare(struct term_writer *writer, term t)
{
    writer_define(writer, t);
    declare_frees(writer, t);
}
