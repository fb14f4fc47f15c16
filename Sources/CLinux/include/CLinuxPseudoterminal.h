// Terminals made by programs, for those that drive other programs.
#ifndef NETDASH_CLINUX_PSEUDOTERMINAL_H
#define NETDASH_CLINUX_PSEUDOTERMINAL_H

#include <stddef.h>
#include <sys/types.h>

// Opens a pseudoterminal of a size. Returns the side of the driver, not blocking; the other side's path goes to `path`.
int cl_pty_open(char *path, size_t capacity, int rows, int columns);
// Resizes it; the programs on it get SIGWINCH.
int cl_pty_resize(int descriptor, int rows, int columns);
// Starts a program in a session of its own whose terminal is `path`. A descriptor of -1 stands for that terminal.
// Returns the process id, or -1 with errno.
pid_t cl_spawn_on_terminal(
    const char *path, const char *program, char *const arguments[], char *const environment[], int input, int output,
    int error);

#endif
