/* The whole system as one program: start states, rules, properties, then the functions they call. */
#include "exec/vm_emit.h"
#include "ir/ctl.h"

static void emit_rules(struct vm_emitter *emitter, struct rule *const *rules, size_t count, uint32_t *number)
{
    for (size_t r = 0; r < count; r++)
        emit_rule(emitter, rules[r], (*number)++);
    emit_op(emitter, VM_END, NULL, 0);
}

/* Returns where its code begins. */
static int64_t emit_formula(struct vm_emitter *emitter, const struct expr *formula)
{
    struct vm_label no = label_new();
    int64_t start = (int64_t)emitter->program->code.count;
    emitter->next_register = 0;
    emit_branch(emitter, formula, false, &no);
    emit_op(emitter, VM_TRUE, NULL, 0);
    label_place(emitter, &no);
    emit_op(emitter, VM_FALSE, NULL, 0);
    return start;
}

static void emit_property(struct vm_emitter *emitter, const struct property *property)
{
    struct vm_program *program = emitter->program;
    program->properties[property->id] = -1;
    if (!property->formula)
        return;
    program->properties[property->id] = emit_formula(emitter, property->formula);
    program->is_pure[property->id] = expr_is_pure(emitter, property->formula);
}

/* A function may be wanted only by another: until no entry that is used is open. */
static void emit_functions(struct vm_emitter *emitter)
{
    const struct system *system = emitter->system;
    bool is_done = false;
    while (!is_done) {
        is_done = true;
        for (size_t f = 0; f < system->functions.count; f++)
            if (emitter->entries[f].uses.count) {
                emit_function(emitter, system->functions.items[f]);
                is_done = false;
            }
    }
}

void emitter_open(struct vm_emitter *emitter, struct vm_program *program, const struct system *system,
                  const struct vm_tuning *tuning)
{
    size_t scratch = system->memory_cells - system->state_cells;
    *emitter = (struct vm_emitter){.system = system, .tuning = tuning, .program = program};
    emitter->known = memory_zeroed(scratch + 1, sizeof *emitter->known);
    emitter->facts = memory_zeroed(scratch + 1, sizeof *emitter->facts);
    emitter->functions = memory_zeroed(system->functions.count + 1, sizeof *emitter->functions);
    emitter->entries = memory_zeroed(system->functions.count + 1, sizeof *emitter->entries);
    for (size_t f = 0; f < system->functions.count; f++)
        emitter->entries[f] = label_new();
    emitter->clear_templates = memory_zeroed(system->types.count + 1, sizeof *emitter->clear_templates);
    emitter->blank_templates = memory_zeroed(system->types.count + 1, sizeof *emitter->blank_templates);
    for (size_t t = 0; t < system->types.count; t++)
        emitter->clear_templates[t] = emitter->blank_templates[t] = -1;
}

void emitter_close(struct vm_emitter *emitter)
{
    for (size_t f = 0; f < emitter->system->functions.count; f++)
        VEC_FREE(&emitter->entries[f].uses);
    free(emitter->known);
    free(emitter->facts);
    free(emitter->functions);
    free(emitter->entries);
    free(emitter->clear_templates);
    free(emitter->blank_templates);
}

void vm_compile(struct vm_program *program, const struct system *system, const struct vm_tuning *tuning)
{
    struct vm_emitter emitter;
    uint32_t number = 0;
    *program = (struct vm_program){0};
    program->memory_cells = system->memory_cells;
    program->call_depth = (uint32_t)system->functions.count + 1; /* no recursion */
    program->rule_count = (uint32_t)(system->rules.count + system->starts.count);
    program->rules = memory_zeroed((size_t)program->rule_count + 1, sizeof *program->rules);
    program->properties = memory_zeroed(system->properties.count + 1, sizeof *program->properties);
    program->propositions = memory_zeroed(system->propositions.count + 1, sizeof *program->propositions);
    program->is_pure = memory_zeroed(system->properties.count + 1, sizeof *program->is_pure);

    emitter_open(&emitter, program, system, tuning);
    vm_analyse(&emitter);
    program->successors = (uint32_t)program->code.count;
    emit_rules(&emitter, system->rules.items, system->rules.count, &number);
    program->starts = (uint32_t)program->code.count;
    emit_rules(&emitter, system->starts.items, system->starts.count, &number);
    VEC_PUSH(&program->segments, ((struct vm_segment){.start = (uint32_t)program->code.count, .rule = -1}));
    for (size_t p = 0; p < system->properties.count; p++)
        emit_property(&emitter, system->properties.items[p]);
    for (size_t p = 0; p < system->propositions.count; p++)
        program->propositions[p] = emit_formula(&emitter, system->propositions.items[p]->formula);
    emit_functions(&emitter);
    emitter_close(&emitter);
}
