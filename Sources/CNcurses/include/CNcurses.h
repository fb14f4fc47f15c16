// The screen: wide-character ncurses, and what Swift cannot import of it.
//
// ncurses belongs to one thread. It never touches the real terminal here: it writes its frames into a file in memory, and
// the terminal's modes, size and descriptor are kept by the functions of CNcursesDevice.c, which also restore it on a crash.
#ifndef NETDASH_CNCURSES_H
#define NETDASH_CNCURSES_H

#ifndef NCURSES_WIDECHAR
#define NCURSES_WIDECHAR 1
#endif
#define NCURSES_NOMACROS 1
#if !__has_include(<ncurses.h>)
#error "The headers of ncurses are missing; on Debian: apt-get install libncurses-dev"
#endif
#include <ncurses.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// MARK: Screen. Functions return 0 or -1 unless they say otherwise.

// Why no screen came up.
typedef enum { CN_OPENED, CN_UNKNOWN_TERMINAL, CN_UNSUITABLE_TERMINAL, CN_FAILED } cn_open_result;

// Text attributes, combined with |.
typedef enum { CN_BOLD = 1, CN_DIM = 2, CN_REVERSE = 4, CN_UNDERLINE = 8 } cn_attribute;

// Whether a screen can be opened for this terminal type.
cn_open_result cn_terminal_is_suitable(const char *term, int descriptor);
// Opens a screen for the terminal type `term` whose output goes to `output`, a file in memory. One screen at a time.
cn_open_result cn_screen_open(const char *term, int output, int rows, int columns);
// Frees the screen. Writes nothing.
void cn_screen_close(void);
// Prepares the eight named colours on the terminal's own background as pairs 1 to 8. Returns the number of colours, 0 if none.
int cn_screen_start_colors(void);
int cn_screen_resize(int rows, int columns);
// Starts a part of a row; its cells follow from left to right.
void cn_row_begin(void);
// Appends one cell: at most five code points, the first of which is the base. A wide one counts as one cell here.
int cn_row_append(const uint32_t *scalars, int count, unsigned attributes, int pair);
// Puts the cells appended since cn_row_begin on `row`, from `column` on.
int cn_row_end(int row, int column);
// Sends what changed to the output, and leaves the cursor in the given cell, shown or hidden, or hidden anywhere when `row`
// is negative.
int cn_screen_update(int cursor_row, int cursor_column, int shows_cursor);
// The next update repaints every cell.
int cn_screen_invalidate(void);
// Tells ncurses that the screen was left; the next update enters it again and repaints every cell.
int cn_screen_leave(void);
// A string capability of the terminal without padding; NULL when it has none. Valid until the next call.
const char *cn_capability(const char *name);
// The capability that moves the cursor; NULL when there is none. Valid until the next call.
const char *cn_move_cursor(int row, int column);

// MARK: Device

// Remembers the terminal's modes as those to restore, and how to leave the screen. Call once per descriptor.
int cn_device_adopt(int descriptor);
// Switches the terminal to single keys: no echo, no signals, no flow control, no translation.
int cn_device_enter(void);
// Sets the bytes that leave the screen; they are sent by cn_device_restore and by the crash handler.
int cn_device_set_restore(const uint8_t *bytes, size_t count);
// Leaves the screen and restores the modes, once per cn_device_enter. Safe in a signal handler and at exit.
void cn_device_restore(void);
// Notes that somebody else has the terminal now: cn_device_restore does nothing until cn_device_enter.
void cn_device_abandon(void);
// Forgets the terminal.
void cn_device_release(void);
// The terminal's size. -1 when it does not know it.
int cn_device_size(int descriptor, int *rows, int *columns);
// Whether this process may use the terminal now. True for a terminal that controls nobody.
bool cn_device_is_foreground(int descriptor);

// Redirects standard error to `capture`, a file in memory, until cn_errors_replay.
int cn_errors_capture(int capture);
// Gives standard error back and copies what was captured to it. Safe in a signal handler; does nothing the second time.
void cn_errors_replay(void);

// On a fatal signal: leave the screen, restore the modes, say one sentence, die of the same signal.
int cn_crash_handler_install(void);

#endif
