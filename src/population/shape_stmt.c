/* Statements: loops over the threads are broadcasts. */
#include "ir/walk.h"
#include "population/shape_inner.h"

static bool note_looped(void *user, const struct place *place, bool is_written)
{
    struct prover *prover = user;
    const struct variable *thread, *array = is_written ? place_local(prover, place, &thread) : NULL;
    if (array)
        VEC_PUSH(&prover->looped, array);
    return true;
}

static bool prove_broadcast(struct prover *prover, const struct stmt *loop)
{
    struct walker walker = {.on_place = note_looped, .user = prover};
    if (prover->looping)
        return prover_fail(prover, loop->span, "a loop over all elements of %s in another one", prover_name(prover));
    prover->is_broadcast = true;
    VEC_PUSH(&prover->threads, loop->variable);
    walk_block(&walker, &loop->body);
    prover->looping = loop->variable;
    bool is_proved = prove_block(prover, &loop->body);
    prover->looping = NULL;
    VEC_CLEAR(&prover->looped);
    prover->threads.count--;
    return is_proved;
}

static bool prove_for(struct prover *prover, const struct stmt *stmt)
{
    if (domain_is_threads(prover, &stmt->domain))
        return prove_broadcast(prover, stmt);
    return prove_domain(prover, &stmt->domain) && prove_block(prover, &stmt->body);
}

/* To a part of one thread, or to something shared. */
static bool prove_bind(struct prover *prover, const struct stmt *stmt)
{
    const struct variable *thread;
    struct shape_binding binding = {stmt->variable, place_local(prover, stmt->place, &thread)};
    if (prover->looping)
        return prover_fail(prover, stmt->span, "an alias in a loop over all elements of %s", prover_name(prover));
    VEC_PUSH(&prover->bindings, binding);
    return prove_place(prover, stmt->place, false);
}

/* All threads lose the same local: a broadcast. */
static bool prove_reset(struct prover *prover, const struct stmt *stmt)
{
    const struct place *place = stmt->place;
    if (place->kind != PLACE_VARIABLE || !place->variable->is_global || prover->looping ||
        !shape_is_local(prover->shape, place->variable))
        return prove_place(prover, place, true);
    prover->is_broadcast = true;
    return true;
}

/* What ends an iteration of one thread may not end those of the others. */
static bool prove_whole(struct prover *prover, const struct stmt *stmt, const char *what)
{
    return !prover->looping ||
           prover_fail(prover, stmt->span, "%s in a loop over all elements of %s", what, prover_name(prover));
}

/* The parts that every kind of statement has. */
static bool prove_parts(struct prover *prover, const struct stmt *stmt)
{
    enum polarity polarity = stmt->kind == STMT_REQUIRE ? POLARITY_ASSERTED : POLARITY_NONE;
    return (!stmt->value || prove_expr(prover, stmt->value, polarity)) &&
           (!stmt->source || prove_place(prover, stmt->source, false)) &&
           (!stmt->place || prove_place(prover, stmt->place, true)) && prove_block(prover, &stmt->body) &&
           prove_block(prover, &stmt->otherwise);
}

static bool prove_stmt(struct prover *prover, const struct stmt *stmt)
{
    switch (stmt->kind) {
    case STMT_FOR:
        return prove_for(prover, stmt);
    case STMT_BIND:
        return prove_bind(prover, stmt);
    case STMT_CLEAR:
    case STMT_UNDEFINE:
        return prove_reset(prover, stmt);
    case STMT_RETURN:
        return prove_whole(prover, stmt, "return") && prove_parts(prover, stmt);
    case STMT_ASSUME:
        return prove_whole(prover, stmt, "assume") && prove_parts(prover, stmt);
    default:
        return prove_parts(prover, stmt);
    }
}

bool prove_block(struct prover *prover, const struct block *block)
{
    for (uint32_t s = 0; s < block->count; s++)
        if (!prove_stmt(prover, block->items[s]))
            return false;
    return true;
}
