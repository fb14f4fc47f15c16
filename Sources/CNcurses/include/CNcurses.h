// The screen: wide-character ncurses, and what Swift cannot import of it.
#ifndef NETDASH_CNCURSES_H
#define NETDASH_CNCURSES_H

#ifndef NCURSES_WIDECHAR
#define NCURSES_WIDECHAR 1
#endif
#define NCURSES_NOMACROS 1
#include <ncurses.h>

#endif
