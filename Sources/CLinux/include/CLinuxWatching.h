// Notice of files that appear in a folder.
#ifndef NETDASH_CLINUX_WATCHING_H
#define NETDASH_CLINUX_WATCHING_H

#include <stdbool.h>

// Each function returns -1 and sets errno on failure.

// A descriptor that becomes readable when something happens in a watched folder; non-blocking and closed on exec.
int cl_watch_open(void);
// Watches one more folder, which must be one: its files that are closed after writing, moved into it or created, and
// the folder itself.
int cl_watch_add(int watch, const char *path);

// Watches one more folder, which must be one: its files that are removed or moved out of it, and the folder itself.
int cl_watch_add_losses(int watch, const char *path);

typedef struct {
    // The name of a file in the folder; empty for an event of the folder itself.
    char name[256];
    // Events were lost: the folder must be read.
    bool overflowed;
    // The folder was removed, moved or unmounted, or is watched no longer.
    bool gone;
} cl_watch_event;

// Reads waiting events, `capacity` of which must be at least 32. Returns their number, 0 if none waits.
int cl_watch_read(int watch, cl_watch_event *events, int capacity);

// Whether a process has the file of a descriptor, which only reads, open for writing: 1 or 0. -1 if the file system
// cannot tell, or the file belongs to another user.
int cl_is_open_for_writing(int descriptor);

#endif
