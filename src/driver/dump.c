#include "driver/dump.h"

#include "exec/native_source.h"
#include "exec/vm.h"
#include "ir/print.h"

static void dump_c(const struct model *model, struct text *out)
{
    struct native_source source;
    native_write(&source, model->system);
    if (source.refusal)
        text_format(out, "/* %s */\n", source.refusal);
    else
        text_append_n(out, source.code.chars, source.code.length);
    native_source_free(&source);
}

void dump_model_text(const struct model *model, enum dump_form form, struct text *out)
{
    switch (form) {
    case DUMP_IR:
        ir_print_system(model->system, out);
        return;
    case DUMP_BYTECODE:
        vm_disassemble(model->system, model->layout, out);
        return;
    case DUMP_C:
        dump_c(model, out);
        return;
    case DUMP_PLAN:
        break;
    }
    UNREACHABLE("it is no text of the model");
}
