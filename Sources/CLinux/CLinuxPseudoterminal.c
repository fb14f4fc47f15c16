#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

int cl_pty_open(char *path, size_t capacity, int rows, int columns) {
    int descriptor = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return -1;
    int error = 0;
    if (grantpt(descriptor) != 0 || unlockpt(descriptor) != 0) error = errno;
    if (error == 0) error = ptsname_r(descriptor, path, capacity);
    if (error == 0 && cl_pty_resize(descriptor, rows, columns) != 0) error = errno;
    if (error == 0) return descriptor;
    (void)close(descriptor);
    errno = error;
    return -1;
}

int cl_pty_resize(int descriptor, int rows, int columns) {
    struct winsize size;
    memset(&size, 0, sizeof size);
    size.ws_row = (unsigned short)rows;
    size.ws_col = (unsigned short)columns;
    return ioctl(descriptor, TIOCSWINSZ, &size);
}

static int add_descriptors(posix_spawn_file_actions_t *actions, const char *path, const int sources[3]) {
    // A number that is none of the sources, because dup2 would overwrite one.
    int opened = 3;
    for (int target = 0; target < 3; target++) {
        if (sources[target] >= opened) opened = sources[target] + 1;
    }
    // The first terminal that the leader of a new session opens becomes the session's controlling terminal.
    int result = posix_spawn_file_actions_addopen(actions, opened, path, O_RDWR, 0);
    for (int target = 0; target < 3 && result == 0; target++) {
        int source = sources[target] < 0 ? opened : sources[target];
        result = posix_spawn_file_actions_adddup2(actions, source, target);
    }
    return result == 0 ? posix_spawn_file_actions_addclosefrom_np(actions, 3) : result;
}

static int set_attributes(posix_spawnattr_t *attributes) {
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    int result = posix_spawnattr_setsigmask(attributes, &none);
    if (result == 0) result = posix_spawnattr_setsigdefault(attributes, &all);
    short flags = POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    return result == 0 ? posix_spawnattr_setflags(attributes, flags) : result;
}

pid_t cl_spawn(
    const char *terminal, const char *program, char *const arguments[], char *const environment[], int input, int output,
    int error) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    const int sources[3] = {input, output, error};
    pid_t process = -1;
    int result = posix_spawn_file_actions_init(&actions);
    if (result == 0) {
        result = posix_spawnattr_init(&attributes);
        if (result == 0) {
            result = add_descriptors(&actions, terminal == NULL ? "/dev/null" : terminal, sources);
            if (result == 0) result = set_attributes(&attributes);
            if (result == 0) result = posix_spawn(&process, program, &actions, &attributes, arguments, environment);
            (void)posix_spawnattr_destroy(&attributes);
        }
        (void)posix_spawn_file_actions_destroy(&actions);
    }
    if (result == 0) return process;
    errno = result;
    return -1;
}
