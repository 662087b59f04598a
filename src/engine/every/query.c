/* Obligations as SMT-LIB files, in which every answer must be "unsat". */
#include <stdlib.h>

#include "engine/every/every.h"

static void query_assume(struct every_query *query, term formula, const char *about, uint32_t candidate)
{
    if (formula == TERM_TRUE)
        return;
    VEC_PUSH(&query->assumed, formula);
    VEC_PUSH(&query->about, about);
    VEC_PUSH(&query->names, candidate);
}

static void query_ask(struct every_query *query, term formula, const char *asks, uint32_t candidate)
{
    VEC_PUSH(&query->asked, formula);
    VEC_PUSH(&query->asks, asks);
    VEC_PUSH(&query->candidates, candidate);
}

/* The state is one, and satisfies the invariant. */
static void query_assume_state(struct every_query *query)
{
    const struct every_proof *proof = query->proof;
    query_assume(query, proof->axioms, "every scalar has one value, or is undefined", UINT32_MAX);
    for (size_t i = 0; i < proof->candidates->count; i++)
        if (!proof->candidates->items[i].is_out)
            query_assume(query, proof->before[i], text_chars(&proof->candidates->items[i].words), (uint32_t)i);
}

static void put_comment(struct text *out, const char *words)
{
    text_append(out, "; ");
    for (; *words; words++)
        text_char(out, *words == '\n' ? ' ' : *words);
    text_append(out, "\n");
}

/* Names are defined before the first question: what is defined between push and pop is forgotten. */
void query_write(const struct every_query *query, bool wants_cores, struct text *out)
{
    const struct fol_store *terms = &query->proof->terms;
    struct term_writer writer;
    text_append(out, text_chars(&query->head));
    writer_open(&writer, terms, out);
    if (wants_cores)
        text_append(out, "(set-option :produce-unsat-cores true)\n");
    terms_print_declarations(terms, out);
    for (size_t i = 0; i < query->assumed.count; i++)
        writer_count(&writer, query->assumed.items[i]);
    for (size_t i = 0; i < query->asked.count; i++)
        writer_count(&writer, query->asked.items[i]);
    for (size_t i = 0; i < query->assumed.count; i++) {
        put_comment(out, query->about.items[i]);
        writer_prepare(&writer, query->assumed.items[i]);
        bool has_name = wants_cores && query->names.items[i] != UINT32_MAX;
        text_append(out, has_name ? "(assert (! " : "(assert ");
        writer_put(&writer, query->assumed.items[i]);
        if (has_name)
            text_format(out, " :named c%u)", query->names.items[i]);
        text_append(out, ")\n");
    }
    for (size_t i = 0; i < query->asked.count; i++)
        writer_prepare(&writer, query->asked.items[i]);
    for (size_t i = 0; i < query->asked.count; i++) {
        put_comment(out, query->asks.items[i]);
        text_append(out, "(push 1)\n(assert ");
        writer_put(&writer, query->asked.items[i]);
        text_append(out, ")\n(check-sat)\n");
        text_append(out, wants_cores ? "(get-unsat-core)\n(pop 1)\n" : "(pop 1)\n");
    }
    writer_close(&writer);
}

void query_free(struct every_query *query)
{
    text_free(&query->head);
    VEC_FREE(&query->assumed);
    VEC_FREE(&query->about);
    VEC_FREE(&query->asked);
    VEC_FREE(&query->asks);
    VEC_FREE(&query->names);
    VEC_FREE(&query->candidates);
}

void query_step(const struct every_proof *proof, const struct every_obligation *obligation, struct every_query *query)
{
    *query = (struct every_query){.proof = proof, .span = obligation->rule->span};
    /* Negations are nodes of their own, which must be there before the writer is opened. */
    struct fol_store *terms = (struct fol_store *)&proof->terms;
    text_format(&query->head, "; %s \"%s\" keeps the invariant: every answer must be unsat\n",
                obligation->is_start ? "start state" : "rule", obligation->rule->name);
    if (!obligation->is_start)
        query_assume_state(query);
    query_assume(query, obligation->fires, "the rule fires", UINT32_MAX);
    for (uint32_t i = 0; i < proof->candidates->count; i++) {
        term after = obligation->after[i];
        if (proof->candidates->items[i].is_out || after == TERM_TRUE ||
            (!obligation->is_start && after == proof->before[i]))
            continue;
        query_ask(query, fol_not(terms, after), text_chars(&proof->candidates->items[i].words), i);
    }
}

/* No rule fires and leads elsewhere, or fails; and it is no final state. */
static void query_ask_deadlock(struct every_query *query, struct fol_store *terms)
{
    const struct every_proof *proof = query->proof;
    term alive = proof->holds[SYSTEM_DEADLOCK];
    for (size_t o = 0; o < proof->obligations.count; o++) {
        const struct every_obligation *obligation = &proof->obligations.items[o];
        if (obligation->is_start)
            continue;
        term some = obligation->fires;
        if (!proof->is_stuck_by_firing)
            some = fol_and(terms, some, obligation->alters);
        for (size_t e = 0; e < obligation->events.count; e++)
            some = fol_or(terms, some, obligation->events.items[e].when);
        for (uint32_t p = 0; p < obligation->parameter_count; p++)
            some = fol_exists(terms, obligation->parameters[p], some);
        alive = fol_or(terms, alive, some);
    }
    query_ask(query, fol_not(terms, alive), "no rule can fire", UINT32_MAX);
}

static void query_ask_events(struct every_query *query, const struct property *property, bool is_start)
{
    const struct every_proof *proof = query->proof;
    for (size_t o = 0; o < proof->obligations.count; o++) {
        const struct every_obligation *obligation = &proof->obligations.items[o];
        for (size_t e = 0; e < obligation->events.count; e++)
            if (obligation->events.items[e].property == property && obligation->is_start == is_start)
                query_ask(query, obligation->events.items[e].when, obligation->rule->name, UINT32_MAX);
    }
}

void query_property(const struct every_proof *proof, const struct property *property, struct every_query *query)
{
    struct fol_store *terms = (struct fol_store *)&proof->terms;
    *query = (struct every_query){.proof = proof, .span = property->span};
    text_format(&query->head, "; %s \"%s\" follows from the invariant: every answer must be unsat\n",
                property_kind_name(property->kind), property->name ? property->name : "");
    query_assume_state(query);
    if (property->kind == PROPERTY_INVARIANT)
        query_ask(query, fol_not(terms, proof->holds[property->id]), "it is false, or cannot be evaluated", UINT32_MAX);
    else if (property->kind == PROPERTY_DEADLOCK)
        query_ask_deadlock(query, terms);
    else
        query_ask_events(query, property, false);
}

void query_start(const struct every_proof *proof, const struct property *property, struct every_query *query)
{
    *query = (struct every_query){.proof = proof, .span = property->span};
    text_format(&query->head, "; no start state violates %s \"%s\": every answer must be unsat\n",
                property_kind_name(property->kind), property->name ? property->name : "");
    query_ask_events(query, property, true);
}
