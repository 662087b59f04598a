#include "report/pools.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/watch.h"
#include "ir/walk.h"

static bool is_one_of(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (!strcasecmp(name, *names))
            return true;
    return false;
}

static const char *const senders[] = {"src", "source", "from", "sender", "origin", "snd", NULL};
static const char *const receivers[] = {"dst", "dest", "destination", "to", "receiver", "target", "rcv", NULL};

/* "Empty", "none", "NoMsg", "no_req" */
static bool reads_empty(const char *label)
{
    static const char *const names[] = {"empty", "none", "nil", "null", "nothing", "nomsg", "noreq", NULL};
    return is_one_of(label, names) || strcasestr(label, "empty") || !strncasecmp(label, "no_", 3) ||
           (!strncmp(label, "No", 2) && isupper((unsigned char)label[2]));
}

static bool has_empty_label(const struct type *type)
{
    for (uint32_t i = 0; type->kind == TYPE_ENUM && i < type->size; i++)
        if (reads_empty(type->labels[i]))
            return true;
    return false;
}

const struct type *pool_kind_type(const struct type *message, uint32_t *offset)
{
    *offset = 0;
    if (message->kind == TYPE_ENUM)
        return message;
    const struct field *first = NULL;
    for (uint32_t f = 0; message->kind == TYPE_RECORD && f < message->field_count; f++) {
        const struct field *field = &message->fields[f];
        if (field->type->kind != TYPE_ENUM)
            continue;
        if (!first || (has_empty_label(field->type) && !has_empty_label(first->type)))
            first = field;
    }
    *offset = first ? first->offset : 0;
    return first ? first->type : NULL;
}

static bool has_address_field(const struct type *record)
{
    for (uint32_t f = 0; record->kind == TYPE_RECORD && f < record->field_count; f++) {
        const struct field *field = &record->fields[f];
        if (type_is_scalar(field->type) && (is_one_of(field->name, senders) || is_one_of(field->name, receivers)))
            return true;
    }
    return false;
}

/* A slot outside a multiset must look empty when it is. */
static bool is_slot(const struct type *type)
{
    uint32_t offset;
    const struct type *kind = pool_kind_type(type, &offset);
    return kind && (has_empty_label(kind) || has_address_field(type));
}

/* An array of it holds messages. Between two processes anything with a kind does: what is not there is undefined. */
static bool is_buffer(const struct type *element, bool is_link)
{
    uint32_t offset;
    return element->kind == TYPE_RECORD && pool_kind_type(element, &offset) && (is_link || has_address_field(element));
}

static bool is_full(const struct type *message, const int32_t *cells)
{
    uint32_t offset;
    const struct type *kind = pool_kind_type(message, &offset);
    int32_t code = cells[offset];
    return code != UNDEFINED && !reads_empty(kind->labels[type_ordinal(kind, code)]);
}

static void add_pool(struct pools *pools, struct pool pool)
{
    VEC_PUSH(&pools->items, pool);
}

static void find_in_type(const struct lanes *lanes, struct pools *pools, struct pool at)
{
    const struct type *type = at.type;
    if (type->kind == TYPE_MULTISET) {
        at.message = type->element;
        add_pool(pools, at);
    } else if (type->kind == TYPE_ARRAY && lanes_is_process_index(lanes->layout->system, type->index)) {
        for (uint32_t i = 0; i < type->index->size && !watch_cuts(); i++) {
            struct pool part = at;
            int32_t lane = lanes_of_code(lanes, type->index, type_code(type->index, i));
            part.type = type->element;
            part.address += i * type->element->cells;
            *(at.lane == LANE_SHARED ? &part.lane : &part.other) = lane;
            find_in_type(lanes, pools, part);
        }
    } else if (type->kind == TYPE_ARRAY && is_buffer(type->element, at.other != LANE_SHARED)) {
        at.message = type->element;
        add_pool(pools, at);
    } else if (type->kind == TYPE_RECORD && !is_slot(type)) {
        for (uint32_t f = 0; f < type->field_count; f++) {
            struct pool part = at;
            part.type = type->fields[f].type;
            part.address += type->fields[f].offset;
            if (!type_is_scalar(part.type)) /* fields such as State = None are no messages */
                find_in_type(lanes, pools, part);
        }
    } else if ((type->kind == TYPE_RECORD || type->kind == TYPE_ENUM) && at.lane != LANE_SHARED && is_slot(type)) {
        at.message = type;
        add_pool(pools, at);
    }
}

/* Which side fills the channels of a variable, and which empties them, by the rules that do so: those of the processes
 * know nothing of the shared part. */
struct pools_survey {
    const struct lanes *lanes;
    const struct variable *variable;
    bool fills, empties, is_shared;
};

static bool survey_place(void *user, const struct place *place, bool is_written)
{
    struct pools_survey *survey = user;
    (void)is_written;
    const struct variable *variable = place->kind == PLACE_VARIABLE ? place->variable : NULL;
    if (variable && variable->is_global)
        survey->is_shared |= variable->type->kind != TYPE_ARRAY ||
                             !lanes_is_process_index(survey->lanes->layout->system, variable->type->index);
    return true;
}

static bool survey_stmt(void *user, const struct stmt *stmt)
{
    struct pools_survey *survey = user;
    if (!stmt->place || place_root(stmt->place)->variable != survey->variable)
        return true;
    if (stmt->kind == STMT_UNDEFINE || stmt->kind == STMT_CLEAR)
        survey->empties = true;
    if (stmt->kind == STMT_ASSIGN && stmt->place->type->kind == TYPE_ENUM && stmt->value->kind == EXPR_CONST) {
        const struct type *type = stmt->place->type;
        int64_t label = type_ordinal(type, stmt->value->value);
        bool is_empty = label < 0 || reads_empty(type->labels[label]);
        *(is_empty ? &survey->empties : &survey->fills) = true;
    }
    return true;
}

/* Bodies of the functions that are called belong to the rule. */
static bool survey_expr(void *user, const struct expr *expr)
{
    const struct walker walker = {survey_stmt, survey_expr, survey_place, user};
    if (expr->kind == EXPR_CALL)
        walk_block(&walker, &expr->function->body);
    return true;
}

static enum pool_flow survey_flow(const struct lanes *lanes, const struct variable *variable)
{
    const struct system *system = lanes->layout->system;
    uint32_t to_shared = 0, from_shared = 0;
    for (size_t r = 0; r < system->rules.count; r++) {
        struct pools_survey survey = {.lanes = lanes, .variable = variable};
        const struct walker walker = {survey_stmt, survey_expr, survey_place, &survey};
        walk_rule(&walker, system->rules.items[r]);
        if (survey.fills != survey.empties)
            *(survey.fills == survey.is_shared ? &from_shared : &to_shared) += 1;
    }
    if (to_shared > 2 * from_shared)
        return POOL_TO_SHARED;
    return from_shared > 2 * to_shared ? POOL_FROM_SHARED : POOL_BY_CONTENT;
}

/* Channels need a direction: a slot of a process with neither address nor flow shows nothing. */
static bool is_usable(const struct pool *pool)
{
    return pool->type->kind == TYPE_MULTISET || pool->flow != POOL_BY_CONTENT || pool->other != LANE_SHARED ||
           has_address_field(pool->message);
}

void pools_find(const struct lanes *lanes, struct pools *pools)
{
    const struct system *system = lanes->layout->system;
    for (size_t g = 0; g < system->globals.count; g++) {
        const struct variable *variable = system->globals.items[g];
        if (system_is_internal(system, variable))
            continue;
        size_t first = pools->items.count, kept = first;
        find_in_type(
            lanes, pools,
            (struct pool){
                .type = variable->type, .address = variable->address, .lane = LANE_SHARED, .other = LANE_SHARED});
        enum pool_flow flow = pools->items.count > first ? survey_flow(lanes, variable) : POOL_BY_CONTENT;
        for (size_t i = first; i < pools->items.count && !watch_cuts(); i++) {
            struct pool *pool = &pools->items.items[i];
            if (pool->type == pool->message && pool->other == LANE_SHARED && !has_address_field(pool->message))
                pool->flow = flow;
            if (is_usable(pool))
                pools->items.items[kept++] = *pool;
        }
        pools->items.count = kept;
    }
}

void pools_free(struct pools *pools)
{
    VEC_FREE(&pools->items);
}

void pool_list(const struct pool *pool, const int32_t *cells, struct pool_content *content)
{
    const struct type *type = pool->type;
    VEC_CLEAR(&content->addresses);
    if (type->kind == TYPE_MULTISET) {
        for (uint32_t s = 0; s < type->capacity; s++)
            if (cells[pool->address + s * multiset_stride(type)])
                VEC_PUSH(&content->addresses, pool->address + s * multiset_stride(type) + 1);
        return;
    }
    uint32_t slots = type == pool->message ? 1 : type->index->size;
    for (uint32_t s = 0; s < slots; s++)
        if (is_full(pool->message, cells + pool->address + s * pool->message->cells))
            VEC_PUSH(&content->addresses, pool->address + s * pool->message->cells);
}

static int32_t find_party(const struct pool *pool, const struct lanes *lanes, const int32_t *message,
                          const char *const *names)
{
    for (uint32_t f = 0; pool->message->kind == TYPE_RECORD && f < pool->message->field_count; f++) {
        const struct field *field = &pool->message->fields[f];
        if (type_is_scalar(field->type) && is_one_of(field->name, names))
            return lanes_of_code(lanes, field->type, message[field->offset]);
    }
    return LANE_SHARED;
}

int32_t pool_find_sender(const struct pool *pool, const struct lanes *lanes, const int32_t *message)
{
    return find_party(pool, lanes, message, senders);
}

int32_t pool_find_receiver(const struct pool *pool, const struct lanes *lanes, const int32_t *message)
{
    return find_party(pool, lanes, message, receivers);
}
