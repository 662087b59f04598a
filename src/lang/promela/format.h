/* How the tokens of a Promela model nest, for its layout (base/format.h). */
#ifndef NOETHER_LANG_PROMELA_FORMAT_H
#define NOETHER_LANG_PROMELA_FORMAT_H

#include "base/format.h"

format_reader promela_format;

#endif
