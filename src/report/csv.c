#include "report/csv.h"

#include <string.h>

void csv_field(const char *chars, struct text *out)
{
    if (!strpbrk(chars, ",\"\r\n")) {
        text_append(out, chars);
        return;
    }
    text_char(out, '"');
    for (; *chars; chars++)
        text_format(out, *chars == '"' ? "\"\"" : "%c", *chars);
    text_char(out, '"');
}
