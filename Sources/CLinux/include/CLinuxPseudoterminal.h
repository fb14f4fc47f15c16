// Pseudoterminals, for programs that drive other programs.
#ifndef NETDASH_CLINUX_PSEUDOTERMINAL_H
#define NETDASH_CLINUX_PSEUDOTERMINAL_H

#include <stddef.h>
#include <sys/types.h>

// Opens a pseudoterminal of a size. Returns the driver's side, non-blocking; the other side's path goes to `path`.
int cl_pty_open(char *path, size_t capacity, int rows, int columns);
// Resizes it; its programs get SIGWINCH.
int cl_pty_resize(int descriptor, int rows, int columns);
// Starts a program in a new session, with default signals and none of this process's other descriptors. `terminal`
// becomes its terminal, and replaces a descriptor of -1; if it is NULL, /dev/null does. Returns the process id, or -1
// with errno.
pid_t cl_spawn(
    const char *terminal, const char *program, char *const arguments[], char *const environment[], int input, int output,
    int error);

#endif
