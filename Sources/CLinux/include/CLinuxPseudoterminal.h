// Terminals made by programs, for those that drive other programs.
#ifndef NETDASH_CLINUX_PSEUDOTERMINAL_H
#define NETDASH_CLINUX_PSEUDOTERMINAL_H

#include <stddef.h>
#include <sys/types.h>

// Opens a pseudoterminal of a size. Returns the side of the driver, not blocking; the other side's path goes to `path`.
int cl_pty_open(char *path, size_t capacity, int rows, int columns);
// Resizes it; the programs on it get SIGWINCH.
int cl_pty_resize(int descriptor, int rows, int columns);
// Starts a program in a session of its own, with signals as at login and none of this process's other descriptors. Its
// terminal is `terminal`, and a descriptor of -1 stands for it; without one (NULL) -1 stands for /dev/null.
// Returns the process id, or -1 with errno.
pid_t cl_spawn(
    const char *terminal, const char *program, char *const arguments[], char *const environment[], int input, int output,
    int error);

#endif
