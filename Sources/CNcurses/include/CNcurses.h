// The screen: wide-character ncurses behind functions that Swift can import.
//
// ncurses belongs to one thread. It never touches the real terminal: it writes its frames into a file in memory. The
// functions of CNcursesDevice.c own the terminal's modes, size and descriptor, and restore the terminal on a crash.
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

// The reason why a screen was not opened.
typedef enum { CN_OPENED, CN_UNKNOWN_TERMINAL, CN_UNSUITABLE_TERMINAL, CN_FAILED } cn_open_result;

// Text attributes, combined with |.
typedef enum { CN_BOLD = 1, CN_DIM = 2, CN_REVERSE = 4, CN_UNDERLINE = 8 } cn_attribute;

// Returns CN_OPENED if a screen can be opened for this terminal type.
cn_open_result cn_terminal_is_suitable(const char *term, int descriptor);
// Opens a screen for the terminal type `term` whose output goes to `output`, a file in memory. One screen at a time.
cn_open_result cn_screen_open(const char *term, int output, int rows, int columns);
// Frees the screen. Writes nothing.
void cn_screen_close(void);
// Prepares the eight named colours on the terminal's own background as pairs 1 to 8. Returns the number of colours; 0 for
// none.
int cn_screen_start_colors(void);
int cn_screen_resize(int rows, int columns);
// Starts a run of cells in one row; they are appended from left to right.
void cn_row_begin(void);
// Appends one cell: at most five code points, the base first. A wide one counts as one cell here.
int cn_row_append(const uint32_t *scalars, int count, unsigned attributes, int pair);
// Draws the cells appended since cn_row_begin on `row`, starting at `column`.
int cn_row_end(int row, int column);
// Sends the changes to the output and leaves the cursor in the given cell, shown or hidden. A negative `row` hides it
// anywhere.
int cn_screen_update(int cursor_row, int cursor_column, int shows_cursor);
// Makes the next update repaint every cell.
int cn_screen_invalidate(void);
// Tells ncurses that the screen was left; the next update enters it again and repaints every cell.
int cn_screen_leave(void);
// A string capability of the terminal without padding; NULL if the terminal lacks it. Valid until the next call.
const char *cn_capability(const char *name);
// The capability that moves the cursor; NULL if the terminal lacks it. Valid until the next call.
const char *cn_move_cursor(int row, int column);

// MARK: Device

// Saves the terminal's modes for the restore and registers the restore at exit. Call once per descriptor.
int cn_device_adopt(int descriptor);
// Switches the terminal to single keys: no echo, no signals, no flow control, no translation.
int cn_device_enter(void);
// Sets the bytes that leave the screen; they are sent by cn_device_restore and by the crash handler.
int cn_device_set_restore(const uint8_t *bytes, size_t count);
// Leaves the screen and restores the modes, once per cn_device_enter. Safe in a signal handler and at exit.
void cn_device_restore(void);
// Notes that another program has the terminal now: cn_device_restore does nothing until cn_device_enter.
void cn_device_abandon(void);
void cn_device_release(void);
// Reads the terminal's size; -1 when the terminal does not know it.
int cn_device_size(int descriptor, int *rows, int *columns);
// Returns whether this process may use the terminal now. True for a terminal that is not a controlling terminal.
bool cn_device_is_foreground(int descriptor);

// Redirects standard error to `capture`, a file in memory, until cn_errors_replay.
int cn_errors_capture(int capture);
// Restores standard error and copies the captured bytes to it. Safe in a signal handler; a second call has no effect.
void cn_errors_replay(void);

// On a fatal signal: leaves the screen, restores the modes, prints one sentence, and dies of the same signal.
int cn_crash_handler_install(void);

#endif
