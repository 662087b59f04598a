#include "failure.h"

bool failure_set(struct failure *failure, const char *format, ...)
{
    if (!failure->is_set) {
        va_list arguments;
        va_start(arguments, format);
        text_vformat(&failure->what, format, arguments);
        va_end(arguments);
        failure->is_set = true;
    }
    return false;
}
