#include "CNcurses.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Caps a drawn row; columns of a wider terminal beyond it stay blank.
#define ROW_CAPACITY 4096

static SCREEN *screen;
static FILE *output;
static cchar_t row_cells[ROW_CAPACITY + 1];
static int row_count;
static int cursor_shown;

// curs_set fails on a terminal that cannot hide its cursor, and the failure is ignored.
static void show_cursor(int shown) {
    if (shown == cursor_shown) return;
    cursor_shown = shown;
    (void)curs_set(shown);
}

static int configure(int rows, int columns) {
    // Input is decoded elsewhere, so all key handling stays off; typeahead would make ncurses poll for keys.
    (void)typeahead(-1);
    if (nonl() == ERR || leaveok(stdscr, FALSE) == ERR || scrollok(stdscr, FALSE) == ERR) return -1;
    cursor_shown = 1;
    show_cursor(0);
    return cn_screen_resize(rows, columns);
}

// Replaces or removes an environment variable and returns a copy of its old value so that the caller can restore it.
static char *exchange_variable(const char *name, const char *value) {
    const char *old = getenv(name);
    char *copy = old == NULL ? NULL : strdup(old);
    if (value == NULL) {
        (void)unsetenv(name);
    } else {
        (void)setenv(name, value, 1);
    }
    return copy;
}

// newterm sets the scrolling region at once, so it needs the size, which it reads only from the environment when its
// output is not a terminal.
static SCREEN *open_with_size(const char *term, int rows, int columns) {
    char rows_text[16];
    char columns_text[16];
    (void)snprintf(rows_text, sizeof rows_text, "%d", rows);
    (void)snprintf(columns_text, sizeof columns_text, "%d", columns);
    char *old_rows = exchange_variable("LINES", rows_text);
    char *old_columns = exchange_variable("COLUMNS", columns_text);
    SCREEN *opened = newterm(term, output, output);
    free(exchange_variable("LINES", old_rows));
    free(exchange_variable("COLUMNS", old_columns));
    free(old_rows);
    free(old_columns);
    return opened;
}

cn_open_result cn_screen_open(const char *term, int descriptor, int rows, int columns) {
    // newterm ends the process for some terminals, so those are refused first.
    cn_open_result suitable = cn_terminal_is_suitable(term, descriptor);
    if (suitable != CN_OPENED) return suitable;
    int copy = dup(descriptor);
    if (copy < 0) return CN_FAILED;
    output = fdopen(copy, "w");
    if (output == NULL) {
        (void)close(copy);
        return CN_FAILED;
    }
    screen = open_with_size(term, rows, columns);
    if (screen == NULL || configure(rows, columns) != 0) {
        cn_screen_close();
        return CN_FAILED;
    }
    return CN_OPENED;
}

void cn_screen_close(void) {
    if (screen != NULL) {
        // endwin fails here as in cn_screen_leave, and the failure is ignored.
        (void)endwin();
        delscreen(screen);
    }
    screen = NULL;
    if (output != NULL) (void)fclose(output);
    output = NULL;
}

int cn_screen_start_colors(void) {
    if (!has_colors() || start_color() == ERR || use_default_colors() == ERR || COLORS < 8) return 0;
    for (short color = 0; color < 8; color++) {
        if (init_pair((short)(color + 1), color, -1) == ERR) return 0;
    }
    return COLORS;
}

int cn_screen_resize(int rows, int columns) {
    if (is_term_resized(rows, columns) && resize_term(rows, columns) == ERR) return -1;
    return cn_screen_invalidate();
}

void cn_row_begin(void) { row_count = 0; }

int cn_row_append(const uint32_t *scalars, int count, unsigned attributes, int pair) {
    if (row_count >= ROW_CAPACITY || count < 1) return -1;
    wchar_t text[CCHARW_MAX + 1];
    int length = count < CCHARW_MAX ? count : CCHARW_MAX;
    for (int index = 0; index < length; index++) text[index] = (wchar_t)scalars[index];
    text[length] = L'\0';
    attr_t rendition = ((attributes & CN_BOLD) ? A_BOLD : 0) | ((attributes & CN_DIM) ? A_DIM : 0)
        | ((attributes & CN_REVERSE) ? A_REVERSE : 0) | ((attributes & CN_UNDERLINE) ? A_UNDERLINE : 0);
    if (setcchar(&row_cells[row_count], text, rendition, (short)pair, NULL) == ERR) return -1;
    row_count++;
    return 0;
}

int cn_row_end(int row, int column) {
    if (row_count == 0) return 0;
    return mvwadd_wchnstr(stdscr, row, column, row_cells, row_count) == ERR ? -1 : 0;
}

int cn_screen_update(int cursor_row, int cursor_column, int shows_cursor) {
    bool placed = cursor_row >= 0;
    if (wmove(stdscr, placed ? cursor_row : 0, placed ? cursor_column : 0) == ERR) return -1;
    // A cursor without a position may stay where the last change left it, which saves a movement per frame.
    if (leaveok(stdscr, !placed) == ERR || wnoutrefresh(stdscr) == ERR || doupdate() == ERR) return -1;
    show_cursor(placed && shows_cursor);
    return fflush(output) == 0 ? 0 : -1;
}

int cn_screen_invalidate(void) { return clearok(curscr, TRUE) == ERR ? -1 : 0; }

int cn_screen_leave(void) {
    // endwin reports failure because it cannot set the modes of a file; everything else is done by then.
    (void)endwin();
    return cn_screen_invalidate();
}
