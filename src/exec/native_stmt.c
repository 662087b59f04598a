/* Statements. */
#include <string.h>

#include "exec/native_emit.h"

static void write_assign(struct native_emitter *emitter, const struct stmt *stmt)
{
    const struct type *type = stmt->place->type;
    write_indent(emitter);
    if (place_is_local(emitter, stmt->place)) {
        write_cell(emitter, stmt->place);
        text_append(emitter->out, " = (int32_t)");
        write_storable(emitter, stmt->value, type);
        text_append(emitter->out, ";\n");
        return;
    }
    /* The place may fault, and comes between the value and its check. */
    bool is_checked_late = value_needs_check(emitter, stmt->value, type) && !place_is_plain(emitter, stmt->place);
    if (is_checked_late) {
        text_append(emitter->out, "{ int64_t kept_ = ");
        write_expr(emitter, stmt->value);
        text_append(emitter->out, "; int place_ = ");
        write_address(emitter, stmt->place);
        text_append(emitter->out, "; ");
    }
    text_append(emitter->out, place_may_be_state(stmt->place) ? "STORE(" : "LET(");
    if (is_checked_late) {
        text_append(emitter->out, "place_, ");
        write_checked(emitter, "kept_", stmt->value, type);
        text_append(emitter->out, "); }\n");
        return;
    }
    write_address(emitter, stmt->place);
    text_append(emitter->out, ", ");
    write_storable(emitter, stmt->value, type);
    text_append(emitter->out, ");\n");
}

/* Declares where the value of an aggregate is taken from: the address from_, or the copy from_ when what follows calls
 * a function. */
static void write_source(struct native_emitter *emitter, const struct place *source, bool is_followed_by_call)
{
    write_indent(emitter);
    if (is_followed_by_call) {
        write_copy_limit(emitter, source->type->cells);
        text_format(emitter->out, "int32_t from_[%u]; __builtin_memcpy(from_, m + (", source->type->cells);
        write_address(emitter, source);
        text_append(emitter->out, "), sizeof from_);\n");
    } else {
        text_append(emitter->out, "int from_ = ");
        write_address(emitter, source);
        text_append(emitter->out, ";\n");
    }
}

static void write_from(struct native_emitter *emitter, const char *to, uint32_t cells, bool is_followed_by_call)
{
    emitter->has_call = true;
    if (is_followed_by_call)
        write_line(emitter, "__builtin_memcpy(m + %s, from_, sizeof from_);", to);
    else
        write_line(emitter, "COPY(%s, from_, %u);", to, cells);
}

static void write_place_variable(struct native_emitter *emitter, const char *name, const struct place *place)
{
    write_indent(emitter);
    text_format(emitter->out, "int %s = ", name);
    write_address(emitter, place);
    text_append(emitter->out, ";\n");
}

static void block_open(struct native_emitter *emitter)
{
    write_line(emitter, "{");
    emitter->indent++;
}

static void block_close(struct native_emitter *emitter)
{
    emitter->indent--;
    write_line(emitter, "}");
}

static void write_copy(struct native_emitter *emitter, const struct stmt *stmt)
{
    uint32_t cells = stmt->place->type->cells;
    bool is_copied = place_has_call(stmt->place);
    block_open(emitter);
    write_source(emitter, stmt->source, is_copied);
    write_place_variable(emitter, "to_", stmt->place);
    write_from(emitter, "to_", cells, is_copied);
    if (place_may_be_state(stmt->place))
        write_line(emitter, "mark_cells(run, to_, %u);", cells);
    block_close(emitter);
}

static void write_condition(struct native_emitter *emitter, const char *before, const struct expr *value,
                            const char *after)
{
    write_indent(emitter);
    text_append(emitter->out, before);
    write_expr(emitter, value);
    text_append(emitter->out, after);
}

static void write_if(struct native_emitter *emitter, const struct stmt *stmt)
{
    write_condition(emitter, "if (", stmt->value, ") {\n");
    emitter->indent++;
    write_block(emitter, &stmt->body);
    if (stmt->otherwise.count) {
        emitter->indent--;
        write_line(emitter, "} else {");
        emitter->indent++;
        write_block(emitter, &stmt->otherwise);
    }
    block_close(emitter);
}

static void write_while(struct native_emitter *emitter, const struct stmt *stmt)
{
    write_condition(emitter, "for (uint64_t done_ = 0; ", stmt->value, "; done_++) {\n");
    emitter->indent++;
    write_line(emitter, "if (UNLIKELY(done_ == UINT64_C(%llu))) return fault(run, %u, 0);",
               (unsigned long long)emitter->system->loop_limit,
               write_site(emitter, FAULT_LOOP_LIMIT, stmt->span, NULL, NULL));
    write_line(emitter, "LOOK();");
    write_block(emitter, &stmt->body);
    block_close(emitter);
}

static void write_return(struct native_emitter *emitter, const struct stmt *stmt)
{
    const struct variable *result = emitter->function ? emitter->function->result : NULL;
    if (stmt->source) {
        block_open(emitter);
        write_source(emitter, stmt->source, false);
        write_from(emitter, name_address(emitter, result), result->type->cells, false);
        block_close(emitter);
    } else if (stmt->value) {
        write_indent(emitter);
        text_format(emitter->out, "LET(%s, ", name_address(emitter, result));
        if (value_needs_check(emitter, stmt->value, result->type))
            write_checked(emitter, NULL, stmt->value, result->type);
        else
            write_expr(emitter, stmt->value);
        text_append(emitter->out, ");\n");
    }
    emitter->has_return = true;
    write_line(emitter, emitter->rule ? "goto fired;" : "return NATIVE_DONE;");
}

/* ASSERT, ASSUME, COVER, REQUIRE: what a condition leads to. */
static void write_claim(struct native_emitter *emitter, const struct stmt *stmt)
{
    if (stmt->kind == STMT_COVER) {
        write_condition(emitter, "if (", stmt->value, ")");
        text_format(emitter->out, " run->covered[%u] = true;\n", stmt->property->id);
        return;
    }
    write_condition(emitter, "if (!", stmt->value, ") ");
    if (stmt->kind == STMT_ASSUME)
        text_append(emitter->out, "return NATIVE_DISCARDED;\n");
    else if (stmt->kind == STMT_REQUIRE)
        text_format(emitter->out, "goto next_%d;\n", emitter->level);
    else
        text_format(emitter->out, "return fault(run, %u, 0);\n",
                    write_site(emitter, FAULT_ASSERTION, stmt->span, stmt->property, NULL));
}

static void write_put(struct native_emitter *emitter, const struct stmt *stmt)
{
    if (!stmt->value && !stmt->source)
        return;
    write_indent(emitter);
    text_append(emitter->out, "(void)(");
    if (stmt->value)
        write_expr(emitter, stmt->value);
    else if (place_is_local(emitter, stmt->source))
        write_cell(emitter, stmt->source);
    else
        write_address(emitter, stmt->source);
    text_append(emitter->out, ");\n");
}

/* CLEAR, UNDEFINE */
static void write_reset(struct native_emitter *emitter, const struct stmt *stmt)
{
    const struct type *type = stmt->place->type;
    bool is_clear = stmt->kind == STMT_CLEAR;
    if (place_is_local(emitter, stmt->place)) {
        write_indent(emitter);
        write_cell(emitter, stmt->place);
        text_append(emitter->out, " = ");
        write_code(emitter, type, is_clear ? type_code(type, 0) : UNDEFINED);
        text_append(emitter->out, ";\n");
        return;
    }
    if (type_is_scalar(type)) {
        write_indent(emitter);
        text_append(emitter->out, place_may_be_state(stmt->place) ? "STORE(" : "LET(");
        write_address(emitter, stmt->place);
        text_format(emitter->out, ", %d);\n", is_clear ? type_code(type, 0) : UNDEFINED);
        return;
    }
    block_open(emitter);
    write_place_variable(emitter, "to_", stmt->place);
    write_fill(emitter, "to_", type, is_clear);
    if (place_may_be_state(stmt->place))
        write_line(emitter, "mark_cells(run, to_, %u);", type->cells);
    block_close(emitter);
}

static void write_bind(struct native_emitter *emitter, const struct stmt *stmt)
{
    struct scratch_home *home = home_of(emitter, stmt->variable);
    if (home->home == HOME_KNOWN)
        return;
    write_indent(emitter);
    if (home->home == HOME_LOCAL)
        text_format(emitter->out, "%s = ", name_local(emitter, stmt->variable));
    else
        text_format(emitter->out, "m[%s] = ", name_address(emitter, stmt->variable));
    write_address(emitter, stmt->place);
    text_append(emitter->out, ";\n");
}

static void write_for(struct native_emitter *emitter, const struct stmt *stmt)
{
    write_loop_begin(emitter, stmt->variable, &stmt->domain, stmt->span);
    write_block(emitter, &stmt->body);
    write_loop_end(emitter);
}

/* The slot is taken, and the whole of it marked, before the value can turn out not to fit. */
static void write_multiset_add(struct native_emitter *emitter, const struct stmt *stmt)
{
    const struct type *multiset = stmt->place->type;
    bool is_copied = place_has_call(stmt->place);
    block_open(emitter);
    if (stmt->value)
        write_condition(emitter, "int64_t kept_ = ", stmt->value, ";\n");
    else
        write_source(emitter, stmt->source, is_copied);
    write_place_variable(emitter, "base_", stmt->place);
    write_line(emitter, "int slot_ = free_slot(m, base_, %u, %u);", multiset->capacity, multiset_stride(multiset));
    write_line(emitter, "if (UNLIKELY(slot_ < 0)) return fault(run, %u, 0);",
               write_site(emitter, FAULT_MULTISET_FULL, stmt->span, NULL, NULL));
    write_line(emitter, "m[slot_] = 1;");
    write_line(emitter, "mark_cells(run, slot_, %u);", multiset_stride(multiset));
    if (!stmt->value) {
        write_from(emitter, "slot_ + 1", multiset->element->cells, is_copied);
    } else {
        write_indent(emitter);
        text_append(emitter->out, "m[slot_ + 1] = ");
        if (value_needs_check(emitter, stmt->value, multiset->element))
            write_checked(emitter, "kept_", stmt->value, multiset->element);
        else
            text_append(emitter->out, "(int32_t)kept_");
        text_append(emitter->out, ";\n");
    }
    block_close(emitter);
}

static void write_free_slot(struct native_emitter *emitter, const struct type *multiset)
{
    write_line(emitter, "m[place_] = 0;");
    write_line(emitter, "int element_ = place_ + 1;");
    write_fill(emitter, "element_", multiset->element, false);
    write_line(emitter, "mark_cells(run, place_, %u);", multiset_stride(multiset));
}

static void write_multiset_remove(struct native_emitter *emitter, const struct stmt *stmt)
{
    const struct type *multiset = stmt->place->type;
    uint32_t site = write_site(emitter, FAULT_SLOT_FREE, stmt->value->span, NULL, NULL);
    block_open(emitter);
    write_condition(emitter, "int64_t kept_ = ", stmt->value, ";\n");
    write_indent(emitter);
    text_append(emitter->out, "int place_ = TAKEN(SLOT(");
    write_address(emitter, stmt->place);
    text_format(emitter->out, ", kept_, %u, %u, %u), %u) - 1;\n", multiset->capacity, multiset_stride(multiset), site,
                site);
    write_free_slot(emitter, multiset);
    block_close(emitter);
}

/* The predicate is evaluated for every taken slot before any is freed: the doomed are noted first. */
static void write_multiset_remove_if(struct native_emitter *emitter, const struct stmt *stmt)
{
    const struct type *multiset = stmt->place->type;
    block_open(emitter);
    write_copy_limit(emitter, multiset->capacity);
    write_line(emitter, "bool doomed_[%u] = {0};", multiset->capacity);
    write_place_variable(emitter, "base_", stmt->place);
    write_slots_begin(emitter, stmt->variable, multiset);
    write_condition(emitter, "doomed_[slot_] = ", stmt->value, " != 0;\n");
    write_slots_end(emitter);
    write_line(emitter, "for (int slot_ = 0; slot_ < %u; slot_++) {", multiset->capacity);
    emitter->indent++;
    write_line(emitter, "if (!doomed_[slot_]) continue;");
    write_line(emitter, "int place_ = base_ + %u * slot_;", multiset_stride(multiset));
    write_free_slot(emitter, multiset);
    block_close(emitter);
    block_close(emitter);
}

void write_stmt(struct native_emitter *emitter, const struct stmt *stmt)
{
    switch (stmt->kind) {
    case STMT_ASSIGN:
        write_assign(emitter, stmt);
        return;
    case STMT_COPY:
        write_copy(emitter, stmt);
        return;
    case STMT_IF:
        write_if(emitter, stmt);
        return;
    case STMT_FOR:
        write_for(emitter, stmt);
        return;
    case STMT_WHILE:
        write_while(emitter, stmt);
        return;
    case STMT_CALL:
        write_condition(emitter, "(void)", stmt->value, ";\n");
        return;
    case STMT_RETURN:
        write_return(emitter, stmt);
        return;
    case STMT_ASSERT:
    case STMT_ASSUME:
    case STMT_COVER:
    case STMT_REQUIRE:
        write_claim(emitter, stmt);
        return;
    case STMT_ERROR:
        write_line(emitter, "return fault(run, %u, 0);",
                   write_site(emitter, FAULT_ERROR, stmt->span, stmt->property, NULL));
        return;
    case STMT_PUT:
        write_put(emitter, stmt);
        return;
    case STMT_CLEAR:
    case STMT_UNDEFINE:
        write_reset(emitter, stmt);
        return;
    case STMT_BIND:
        write_bind(emitter, stmt);
        return;
    case STMT_MULTISET_ADD:
        write_multiset_add(emitter, stmt);
        return;
    case STMT_MULTISET_REMOVE:
        write_multiset_remove(emitter, stmt);
        return;
    case STMT_MULTISET_REMOVE_IF:
        write_multiset_remove_if(emitter, stmt);
        return;
    }
}

void write_block(struct native_emitter *emitter, const struct block *block)
{
    for (uint32_t i = 0; i < block->count; i++)
        write_stmt(emitter, block->items[i]);
}
