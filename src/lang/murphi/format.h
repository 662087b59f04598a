/* How the tokens of a Murphi model nest, for its layout (base/format.h). */
#ifndef NOETHER_LANG_MURPHI_FORMAT_H
#define NOETHER_LANG_MURPHI_FORMAT_H

#include "base/format.h"

format_reader murphi_format;

#endif
