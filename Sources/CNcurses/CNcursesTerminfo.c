#include "CNcurses.h"

#include <string.h>
#include <term.h>

// This is a separate file because <term.h> turns words like `columns` into macros.

cn_open_result cn_terminal_is_suitable(const char *term, int descriptor) {
    int status = 0;
    if (setupterm(term, descriptor, &status) == ERR) {
        return status == 0 ? CN_UNKNOWN_TERMINAL : status == 1 ? CN_UNSUITABLE_TERMINAL : CN_FAILED;
    }
    bool moves = cn_capability("cup") != NULL;
    (void)del_curterm(cur_term);
    return moves ? CN_OPENED : CN_UNSUITABLE_TERMINAL;
}

// Copies a capability without the delays that terminfo writes as $<milliseconds>.
static const char *without_padding(const char *source) {
    static char text[256];
    size_t count = 0;
    while (*source != '\0' && count + 1 < sizeof text) {
        const char *end = source[0] == '$' && source[1] == '<' ? strchr(source, '>') : NULL;
        if (end != NULL) {
            source = end + 1;
        } else {
            text[count++] = *source++;
        }
    }
    text[count] = '\0';
    return text;
}

const char *cn_capability(const char *name) {
    char *found = tigetstr((NCURSES_CONST char *)(uintptr_t)name);
    return found == NULL || found == (char *)-1 ? NULL : without_padding(found);
}

const char *cn_move_cursor(int row, int column) {
    char *found = tigetstr((NCURSES_CONST char *)(uintptr_t)"cup");
    if (found == NULL || found == (char *)-1) return NULL;
    char *moved = tparm(found, (long)row, (long)column, 0L, 0L, 0L, 0L, 0L, 0L, 0L);
    return moved == NULL ? NULL : without_padding(moved);
}
