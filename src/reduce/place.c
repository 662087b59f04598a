/* Places: which cells they are, as far as that is known, and reading and writing one. */
#include "reduce/crowd.h"

static uint32_t spot_cells(const struct reduce_run *run)
{
    return run->reducer->system->state_cells;
}

static bool spot_is_scratch(const struct reduce_run *run, const struct reduce_spot *spot)
{
    return !spot->residual && spot->address >= spot_cells(run);
}

/* Nothing below here has to do with elements: the rest is a place of the reduced system. */
static void spot_enter_object(struct reduce_run *run, struct reduce_spot *spot)
{
    if (spot->residual || spot_is_scratch(run, spot) || spot->element != NONE)
        return;
    const struct object *object = families_object(run->reducer->reduction, spot->address, spot->type);
    if (object)
        spot->residual = make_place(run, object->variable);
}

void spot_step_field(struct reduce_run *run, struct reduce_spot *spot, const struct field *field, struct span span)
{
    if (spot->residual) {
        const struct type *record = spot->residual->type;
        spot->residual = place_field(run->out, spot->residual, &record->fields[field - spot->type->fields], span);
        spot->type = field->type;
        return;
    }
    spot->address += field->offset;
    spot->type = field->type;
    spot_enter_object(run, spot);
}

static enum reduce_go spot_step_element(struct reduce_run *run, struct reduce_spot *spot, struct reduce_value index,
                                        struct span span)
{
    const struct reduce_family *family = &run->reducer->reduction->families[index.family];
    if (!type_has(spot->type->index, family->code))
        return run_fault(run, span, "array index out of range");
    if (spot_is_scratch(run, spot) || spot->element != NONE || spot->residual)
        return run_refuse(run, span, "a local array over a scalarset");
    spot->address += (uint32_t)type_ordinal(spot->type->index, family->code) * spot->type->element->cells;
    spot->element = index.number;
    spot->type = spot->type->element;
    return GO_OK;
}

enum reduce_go spot_step_index(struct reduce_run *run, struct reduce_spot *spot, struct reduce_value index,
                               struct span span)
{
    const struct type *array = spot->type;
    if (index.kind == VALUE_LOST)
        return run_refuse(run, span, "a value that the last iteration of a loop left");
    if (index.kind == VALUE_KNOWN && index.code == UNDEFINED)
        return run_fault(run, span, "undefined value");
    if (index.kind == VALUE_ELSEWHERE)
        return ask_name(run, &index);
    if (index.kind == VALUE_ELEMENT)
        return spot_step_element(run, spot, index, span);
    if (!spot->residual) {
        enum reduce_go go = value_force(run, &index, array->index, span, "array index out of range");
        if (go != GO_OK)
            return go;
    }
    if (index.kind == VALUE_KNOWN && !type_has(array->index, index.code))
        return run_fault(run, span, "array index out of range");
    spot->type = array->element;
    if (spot->residual) {
        spot->residual = place_element(run->out, spot->residual, value_expr(run, &index, array->index, span), span);
        return GO_OK;
    }
    spot->address += (uint32_t)type_ordinal(array->index, index.code) * array->element->cells;
    spot_enter_object(run, spot);
    return GO_OK;
}

enum reduce_go place_resolve(struct reduce_run *run, const struct place *place, struct reduce_spot *spot)
{
    struct reduce_value index;
    enum reduce_go go;
    switch (place->kind) {
    case PLACE_VARIABLE:
        *spot = (struct reduce_spot){.type = place->type, .address = place->variable->address, .element = NONE};
        spot_enter_object(run, spot);
        return GO_OK;
    case PLACE_DEREF:
        *spot = run->bound[place->variable->address - spot_cells(run)];
        return GO_OK;
    case PLACE_FIELD:
        go = place_resolve(run, place->base, spot);
        if (go == GO_OK)
            spot_step_field(run, spot, &spot->type->fields[place->field - place->base->type->fields], place->span);
        return go;
    case PLACE_ELEMENT:
        go = place_resolve(run, place->base, spot);
        if (go == GO_OK)
            go = eval_expr(run, place->index, &index);
        return go == GO_OK ? spot_step_index(run, spot, index, place->span) : go;
    case PLACE_CALL:
        go = eval_call_in_expr(run, place->call);
        *spot = (struct reduce_spot){.type = place->type, .element = NONE};
        spot->address = place->call->function->result->address;
        return go;
    case PLACE_SLOT:
        return run_refuse(run, place->span, "multisets");
    }
    UNREACHABLE("place");
}

/* ---- one scalar ---- */

/* Something outside the iteration over a crowd, as a number: of a scratch cell, a pointer, a named element's cell. */
static uint64_t spot_key(const struct reduce_run *run, const struct reduce_spot *spot)
{
    return (uint64_t)(spot->element == NONE ? 0 : spot->element + 1) << 32 | spot->address |
           (spot_is_scratch(run, spot) ? UINT64_C(1) << 63 : 0);
}

static bool spot_has_key(const uint64_t *keys, size_t from, size_t to, uint64_t key)
{
    for (size_t i = from; i < to; i++)
        if (keys[i] == key)
            return true;
    return false;
}

bool spot_is_fresh(const struct reduce_run *run, const struct reduce_spot *spot)
{
    return run->crowd_depth == 1 ||
           spot_has_key(run->crowd_writes.items, run->outer_write, run->first_write, spot_key(run, spot));
}

bool spot_is_new(const struct reduce_run *run, const struct reduce_spot *spot)
{
    return spot_has_key(run->crowd_writes.items, run->first_write, run->crowd_writes.count, spot_key(run, spot));
}

static void spot_note_read(struct reduce_run *run, const struct reduce_spot *spot)
{
    uint64_t key = spot_key(run, spot);
    if (run->crowd_depth && !spot_has_key(run->crowd_writes.items, run->first_write, run->crowd_writes.count, key))
        VEC_PUSH(&run->crowd_reads, key);
}

/* A write that every element of a crowd would do: once is enough only if it does not build on the one before. */
static enum reduce_go spot_note_write(struct reduce_run *run, const struct reduce_spot *spot, bool can_wait,
                                      struct span span)
{
    if (!run->crowd_depth)
        return GO_OK;
    uint64_t key = spot_key(run, spot);
    if (spot_has_key(run->crowd_reads.items, run->first_read, run->crowd_reads.count, key))
        return run_refuse(run, span, "a value that accumulates over the iterations of a loop over a scalarset");
    VEC_PUSH(&run->crowd_writes, key);
    /* Local variables are merged at the end of the iteration, where that is possible. */
    return spot_is_scratch(run, spot) && can_wait ? GO_OK : run_settle(run);
}

static enum reduce_go spot_check_read(struct reduce_run *run, bool raw, struct span span, struct reduce_value *value)
{
    if (value->kind == VALUE_LOST)
        return run_refuse(run, span, "a value that the last iteration of a loop left");
    if (value->kind == VALUE_KNOWN && value->code == UNDEFINED && !raw)
        return run_fault(run, span, "undefined value");
    if (value->kind == VALUE_RESIDUAL && !raw && value->expr->kind == EXPR_READ && value->expr->raw)
        value->expr = expr_read(run->out, value->expr->place, false, span);
    return GO_OK;
}

static enum reduce_go spot_read_scratch(struct reduce_run *run, const struct reduce_spot *spot,
                                        struct reduce_value *value)
{
    uint32_t parameter = ask_parameter_at(run, spot->address);
    if (parameter == NONE) {
        *value = run->memory[spot->address - spot_cells(run)];
        spot_note_read(run, spot);
        return GO_OK;
    }
    enum reduce_go go = ask_parameter(run, parameter);
    *value = run->parameters[parameter];
    return go;
}

enum reduce_go spot_read(struct reduce_run *run, const struct reduce_spot *spot, bool raw, struct span span,
                         struct reduce_value *value)
{
    enum reduce_go go = GO_OK;
    if (spot->residual) {
        *value = value_residual(expr_read(run->out, spot->residual, raw, span));
        return GO_OK;
    }
    const struct cell_role *role = spot_is_scratch(run, spot) ? NULL : &run->reducer->reduction->roles[spot->address];
    if (!role) {
        go = spot_read_scratch(run, spot, value);
    } else if (role->role == ROLE_POINTER) {
        go = ask_pointer(run, role->number);
        if (go == GO_OK)
            *value = run->held[role->number];
        spot_note_read(run, spot);
    } else {
        if (role->role != ROLE_LOCAL || spot->element == NONE)
            return run_refuse(run, span, "a cell of an element that is not known");
        const struct element *element = &run->elements.items[spot->element];
        location_note_read(run, element, role->number);
        if (!element->is_crowd)
            spot_note_read(run, spot);
        *value = value_known(element->values[role->number]);
    }
    return go == GO_OK ? spot_check_read(run, raw, span, value) : go;
}

static enum reduce_go spot_write_local(struct reduce_run *run, const struct reduce_spot *spot,
                                       struct reduce_value value, struct span span)
{
    uint32_t cell = run->reducer->reduction->roles[spot->address].number;
    enum reduce_go go = value_force(run, &value, spot->type, span, "value out of range");
    if (go != GO_OK)
        return go;
    if (value.kind != VALUE_KNOWN || (value.code != UNDEFINED && !type_has(spot->type, value.code)))
        return run_fault(run, span, "value out of range");
    bool is_own = spot->element == run->elements.count - 1 && run->elements.items[spot->element].is_crowd;
    go = is_own ? GO_OK : spot_note_write(run, spot, true, span);
    if (go != GO_OK)
        return go;
    if (run->pure)
        return run_refuse(run, span, "a function that changes the state, called in an expression");
    struct element *element = &run->elements.items[spot->element];
    element->values[cell] = (int32_t)value.code;
    element->written[cell / 64] |= UINT64_C(1) << cell % 64;
    return GO_OK;
}

static enum reduce_go spot_write_pointer(struct reduce_run *run, const struct reduce_spot *spot,
                                         struct reduce_value value, struct span span)
{
    const struct reduction *reduction = run->reducer->reduction;
    uint32_t number = reduction->roles[spot->address].number;
    enum reduce_go go = value_force(run, &value, spot->type, span, "value out of range");
    bool is_own = value.kind == VALUE_ELSEWHERE && value.number == number && run->is_decided[number] &&
                  run->held[number].kind == VALUE_ELSEWHERE;
    if (go == GO_OK && is_own)
        return GO_OK;
    if (go == GO_OK)
        go = ask_name(run, &value);
    if (go == GO_OK)
        go = spot_note_write(run, spot, true, span);
    if (go != GO_OK)
        return go;
    bool is_element = value.kind == VALUE_ELEMENT || value.kind == VALUE_ELSEWHERE;
    int64_t code = is_element ? reduction->families[value.family].code : value.code;
    if (code != UNDEFINED && !type_has(spot->type, code))
        return run_fault(run, span, "value out of range");
    if (value.kind == VALUE_KNOWN && value.code != UNDEFINED && families_of_code(reduction, value.code) != NONE)
        return run_refuse(run, span, "an element of a scalarset that is named by its number");
    if (value.kind == VALUE_ELEMENT && run->elements.items[value.number].is_crowd)
        return run_refuse(run, span, "a variable that holds whichever element of a loop comes last");
    if (run->pure)
        return run_refuse(run, span, "a function that changes the state, called in an expression");
    run->held[number] = value;
    run->is_set[number] = true;
    return GO_OK;
}

static enum reduce_go spot_write_residual(struct reduce_run *run, const struct reduce_spot *spot,
                                          struct reduce_value value, struct span span)
{
    if (value.kind != VALUE_KNOWN && value.kind != VALUE_RESIDUAL)
        return run_fault(run, span, "value out of range");
    struct stmt *stmt;
    if (value.kind == VALUE_KNOWN && value.code == UNDEFINED) {
        stmt = stmt_new(run->out, STMT_UNDEFINE, span);
        stmt->place = spot->residual;
    } else if (value.kind == VALUE_KNOWN && !type_has(spot->type, value.code)) {
        return run_fault(run, span, "value out of range");
    } else {
        stmt = make_assign(run, spot->residual, value_expr(run, &value, spot->type, span));
        stmt->span = span;
    }
    return run_emit(run, stmt);
}

/* Is it a variable of something around these frames? */
static bool spot_is_around(const struct reduce_run *run, const struct reduce_spot *spot, size_t frames)
{
    const struct function *owner = run->reducer->owners[spot->address - spot_cells(run)];
    for (size_t f = frames; f < run->frames.count; f++)
        if (run->frames.items[f] == owner)
            return false;
    return true;
}

bool spot_is_kept(const struct reduce_run *run, const struct reduce_spot *spot)
{
    return !run->pure || (run->is_body && run->calls && spot_is_around(run, spot, run->around_calls));
}

static enum reduce_go spot_write_scratch(struct reduce_run *run, const struct reduce_spot *spot,
                                         struct reduce_value value, struct span span)
{
    bool is_kept = spot_is_kept(run, spot);
    enum reduce_go go = spot_note_write(run, spot, value.kind != VALUE_RESIDUAL || !is_kept, span);
    /* A call in an expression that may not be reached: its own variables matter to nobody else. */
    if (go == GO_OK && run->calls && spot_is_around(run, spot, run->around_call))
        go = run_settle(run);
    if (go != GO_OK)
        return go;
    if (!is_kept)
        touch_value(run, &value);
    return scratch_write(run, spot->address, value, is_kept, span);
}

enum reduce_go spot_write(struct reduce_run *run, const struct reduce_spot *spot, struct reduce_value value,
                          struct span span)
{
    if (value.kind == VALUE_LOST)
        return run_refuse(run, span, "a value that the last iteration of a loop left");
    if (spot->residual)
        return spot_write_residual(run, spot, value, span);
    if (spot_is_scratch(run, spot))
        return spot_write_scratch(run, spot, value, span);
    if (run->reducer->reduction->roles[spot->address].role == ROLE_POINTER)
        return spot_write_pointer(run, spot, value, span);
    if (spot->element == NONE)
        return run_refuse(run, span, "a cell of an element that is not known");
    return spot_write_local(run, spot, value, span);
}
