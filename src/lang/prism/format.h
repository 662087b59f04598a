/* How the tokens of a PRISM model or of its properties nest, for its layout (base/format.h). */
#ifndef NOETHER_LANG_PRISM_FORMAT_H
#define NOETHER_LANG_PRISM_FORMAT_H

#include "base/format.h"

format_reader prism_format;

#endif
