/* Numbers are read and written with a point, and letters are those of ASCII, also if the program that uses the library
 * has set another locale. */
#ifndef NOETHER_BASE_LOCALE_H
#define NOETHER_BASE_LOCALE_H

#include <locale.h>

/* For the calling thread, from now on. Returns what it had, for locale_restore. */
locale_t locale_use_plain(void);
void locale_restore(locale_t before);

#endif
