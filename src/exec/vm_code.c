/* Names, the side tables, and the disassembler. */
#include "exec/vm_code.h"

#include <string.h>

static const char *const NAMES[] = {
#define VM_NAME(name, operands) #name,
    VM_INSTRUCTIONS(VM_NAME)
#undef VM_NAME
};

static const char *const OPERANDS[] = {
#define VM_OPERANDS(name, operands) operands,
    VM_INSTRUCTIONS(VM_OPERANDS)
#undef VM_OPERANDS
};

const struct vm_tuning VM_TUNING = {
    .inline_nodes = 80, .unroll_nodes = 6000, .loop_nodes = 600, .unroll_words = 400000};

const char *vm_op_operands(enum vm_op op)
{
    return OPERANDS[op];
}

const struct vm_site *vm_find_site(const struct vm_program *program, uint32_t pc, uint32_t check)
{
    size_t low = 0, high = program->sites.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const struct vm_site *site = &program->sites.items[middle];
        if (site->pc == pc && site->check == check)
            return site;
        if (site->pc < pc || (site->pc == pc && site->check < check))
            low = middle + 1;
        else
            high = middle;
    }
    UNREACHABLE("a check without a site");
}

const struct vm_segment *vm_find_segment(const struct vm_program *program, uint32_t pc)
{
    size_t low = 0, high = program->segments.count;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (program->segments.items[middle].start <= pc)
            low = middle;
        else
            high = middle;
    }
    ENSURE(high > low && program->segments.items[low].start <= pc);
    return &program->segments.items[low];
}

static const char *cell_variable(const struct system *system, int32_t address)
{
    for (size_t i = 0; i < system->globals.count + system->scratch.count; i++) {
        const struct variable *variable =
            i < system->globals.count ? system->globals.items[i] : system->scratch.items[i - system->globals.count];
        int64_t cells = variable->is_reference ? 1 : variable->type->cells;
        if (address >= (int64_t)variable->address && address < (int64_t)variable->address + cells)
            return variable->name;
    }
    return NULL;
}

static void print_operand(const struct vm_program *program, const struct system *system, char kind, int32_t word,
                          struct text *out)
{
    const char *name;
    switch (kind) {
    case 'r':
        text_format(out, " r%d", word);
        break;
    case 'v':
    case 'a':
        name = cell_variable(system, word);
        text_format(out, name ? " [%d %s]" : " [%d]", word, name);
        break;
    case 'j':
        text_format(out, " ->%d", word);
        break;
    case 't':
        text_char(out, ' ');
        type_print(program->types.items[word], out);
        break;
    case 'p':
        if ((size_t)word < system->properties.count)
            text_format(out, " \"%s\"", system->properties.items[word]->name);
        else /* behind the properties: see stepper.h */
            text_append(out, " an undefined value is compared");
        break;
    case 'u':
        text_format(out, " \"%s\"", program->rules[word].rule->name);
        break;
    case 's':
        text_format(out, " *%d", word);
        break;
    default:
        text_format(out, " %d", word);
        break;
    }
}

void vm_print_program(const struct vm_program *program, const struct system *system, struct text *out)
{
    size_t segment = 0;
    for (uint32_t pc = 0; pc < program->code.count;) {
        for (; segment < program->segments.count && program->segments.items[segment].start <= pc; segment++) {
            const struct vm_segment *s = &program->segments.items[segment];
            if (s->rule >= 0)
                text_format(out, "; \"%s\", %u parameters chosen\n", program->rules[s->rule].rule->name, s->level);
        }
        enum vm_op op = (enum vm_op)program->code.items[pc];
        text_format(out, "%6u  %s", pc, NAMES[op]);
        for (size_t i = 0; OPERANDS[op][i]; i++)
            print_operand(program, system, OPERANDS[op][i], program->code.items[pc + 1 + i], out);
        text_char(out, '\n');
        pc += 1 + (uint32_t)strlen(OPERANDS[op]);
    }
}

void vm_free_program(struct vm_program *program)
{
    VEC_FREE(&program->code);
    VEC_FREE(&program->sites);
    VEC_FREE(&program->segments);
    VEC_FREE(&program->types);
    VEC_FREE(&program->templates);
    for (uint32_t r = 0; r < program->rule_count; r++)
        free(program->rules[r].cells);
    free(program->rules);
    free(program->properties);
    free(program->propositions);
    free(program->is_pure);
}
