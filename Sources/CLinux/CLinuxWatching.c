#define _GNU_SOURCE
#include "CLinuxWatching.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

int cl_watch_open(void) { return inotify_init1(IN_NONBLOCK | IN_CLOEXEC); }

int cl_watch_add(int watch, const char *path) {
    uint32_t mask = IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;
    return inotify_add_watch(watch, path, mask) < 0 ? -1 : 0;
}

int cl_watch_add_losses(int watch, const char *path) {
    uint32_t mask = IN_DELETE | IN_MOVED_FROM | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;
    return inotify_add_watch(watch, path, mask) < 0 ? -1 : 0;
}

int cl_watch_read(int watch, cl_watch_event *events, int capacity) {
    // An event takes sizeof(struct inotify_event) bytes or more, so as many as are read fit into `events`.
    union {
        struct inotify_event first;
        char bytes[8192];
    } buffer;
    size_t size = sizeof(struct inotify_event) * (size_t)capacity;
    if (size > sizeof buffer) size = sizeof buffer;
    ssize_t count = read(watch, buffer.bytes, size);
    if (count < 0) return errno == EAGAIN || errno == EINTR ? 0 : -1;
    int found = 0;
    for (ssize_t offset = 0; offset + (ssize_t)sizeof(struct inotify_event) <= count;) {
        struct inotify_event event;
        memcpy(&event, buffer.bytes + offset, sizeof event);
        cl_watch_event *result = &events[found++];
        memset(result, 0, sizeof *result);
        result->overflowed = (event.mask & IN_Q_OVERFLOW) != 0;
        result->gone = (event.mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED)) != 0;
        if (event.len > 0) strncpy(result->name, buffer.bytes + offset + sizeof event, sizeof result->name - 1);
        offset += (ssize_t)(sizeof event + event.len);
    }
    return found;
}

int cl_is_open_for_writing(int descriptor) {
    // A lease is refused while the file is open for writing. A writer that comes while this has one waits for its end,
    // and the kernel sends a signal whose default ends the process.
    struct sigaction action;
    if (sigaction(SIGIO, NULL, &action) == 0 && action.sa_handler == SIG_DFL) {
        action.sa_handler = SIG_IGN;
        (void)sigaction(SIGIO, &action, NULL);
    }
    if (fcntl(descriptor, F_SETLEASE, F_RDLCK) != 0) return errno == EAGAIN ? 1 : -1;
    return fcntl(descriptor, F_SETLEASE, F_UNLCK) == 0 ? 0 : -1;
}
