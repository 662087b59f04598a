#include "lang/promela/asked.h"

#include <string.h>

#include "base/report.h"

static void refuse(const struct source *text, uint32_t line, const char *chars, size_t length,
                   struct diagnostics *diagnostics)
{
    struct span span = {.source = text, .line = line, .column = 1, .length = length ? (uint32_t)length : 1};
    if (length >= strlen("fairness ") && !strncmp(chars, "fairness ", strlen("fairness "))) {
        report_error(diagnostics, span, "fairness of Promela processes is weak or strong");
        diag_hint(diagnostics, "write: --fairness weak");
        return;
    }
    report_error(diagnostics, span, "properties of a Promela model stand in the model");
    diag_hint(diagnostics, "write: ltl name { formula }, assert(condition), or a label that begins with \"end\"; "
                           "--property takes \"" PML_NO_ACCEPTANCE "\" and \"" PML_NO_NONPROGRESS "\"");
}

static bool is_text(const char *chars, size_t length, const char *text)
{
    return length == strlen(text) && !strncmp(chars, text, length);
}

struct pml_asked pml_asked_read(const struct source *text, struct diagnostics *diagnostics)
{
    struct pml_asked asked = {0};
    uint32_t line = 1;
    for (const char *chars = text ? text->text : ""; *chars; line++) {
        size_t whole = strcspn(chars, "\n"), length = whole;
        while (length && strchr("; \t\r", chars[length - 1]))
            length--;
        bool acceptance = is_text(chars, length, PML_NO_ACCEPTANCE),
             progress = is_text(chars, length, PML_NO_NONPROGRESS);
        bool is_weak = is_text(chars, length, "fairness weak"), is_strong = is_text(chars, length, "fairness strong");
        asked.acceptance |= acceptance;
        asked.progress |= progress;
        asked.is_weak |= is_weak;
        asked.is_strong |= is_strong;
        if (length && !acceptance && !progress && !is_weak && !is_strong)
            refuse(text, line, chars, length, diagnostics);
        chars += whole + (chars[whole] == '\n');
    }
    return asked;
}
