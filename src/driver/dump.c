#include "driver/dump.h"

#if __has_include("exec/vm.h")
#include "exec/vm.h"
#else
void vm_disassemble(const struct system *system, const struct layout *layout, struct text *out);
#endif
#include "ir/print.h"

void dump_model_text(const struct model *model, enum dump_form form, struct text *out)
{
    if (form == DUMP_IR)
        ir_print_system(model->system, out);
    else
        vm_disassemble(model->system, model->layout, out);
}
