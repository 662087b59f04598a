#include "base/syntax.h"

#include "base/memory.h"

bool syntax_error(struct syntax *syntax, struct span span, const char *format, ...)
{
    if (syntax->lost)
        return false;
    syntax->lost = true;
    va_list arguments;
    va_start(arguments, format);
    bool is_new = report_verror(syntax->diagnostics, span, format, arguments);
    va_end(arguments);
    return is_new;
}

bool syntax_enter(struct syntax *syntax, struct span here)
{
    if (syntax->depth < syntax->most) {
        syntax->depth++;
        return true;
    }
    syntax_error(syntax, here, "nested more than %u levels deep", syntax->most);
    return false;
}

void syntax_leave(struct syntax *syntax)
{
    ENSURE(syntax->depth);
    syntax->depth--;
}

struct span syntax_gap(struct span before, struct span found)
{
    if (before.line == found.line)
        return found;
    before.column += before.length;
    before.length = 1;
    return before;
}
