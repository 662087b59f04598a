#include "driver/dump.h"

#include "exec/vm.h"
#include "ir/print.h"

void dump_model_text(const struct model *model, enum dump_form form, struct text *out)
{
    if (form == DUMP_IR)
        ir_print_system(model->system, out);
    else
        vm_disassemble(model->system, model->layout, out);
}
