#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/sockios.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

int cl_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int cl_eventfd_signal(int descriptor) {
    uint64_t one = 1;
    ssize_t count;
    do {
        count = write(descriptor, &one, sizeof one);
    } while (count < 0 && errno == EINTR);
    return count == sizeof one || errno == EAGAIN ? 0 : -1;
}

int cl_eventfd_drain(int descriptor) {
    uint64_t value;
    ssize_t count;
    do {
        count = read(descriptor, &value, sizeof value);
    } while (count < 0 && errno == EINTR);
    return count == sizeof value || errno == EAGAIN ? 0 : -1;
}

int cl_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

static int epoll_set(int epoll, int operation, int descriptor, bool readable, bool writable, uint64_t data) {
    struct epoll_event event;
    memset(&event, 0, sizeof event);
    event.events = (readable ? EPOLLIN : 0u) | (writable ? EPOLLOUT : 0u);
    event.data.u64 = data;
    return epoll_ctl(epoll, operation, descriptor, &event);
}

int cl_epoll_add(int epoll, int descriptor, bool readable, bool writable, uint64_t data) {
    return epoll_set(epoll, EPOLL_CTL_ADD, descriptor, readable, writable, data);
}

int cl_epoll_change(int epoll, int descriptor, bool readable, bool writable, uint64_t data) {
    return epoll_set(epoll, EPOLL_CTL_MOD, descriptor, readable, writable, data);
}

int cl_epoll_remove(int epoll, int descriptor) { return epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, NULL); }

int cl_epoll_wait(int epoll, cl_event *events, int capacity, int timeout_milliseconds) {
    struct epoll_event raw[64];
    int limit = capacity < 64 ? capacity : 64;
    int count = epoll_wait(epoll, raw, limit, timeout_milliseconds);
    if (count < 0) return errno == EINTR ? 0 : -1;
    for (int index = 0; index < count; index++) {
        events[index].data = raw[index].data.u64;
        events[index].readable = (raw[index].events & EPOLLIN) != 0;
        events[index].writable = (raw[index].events & EPOLLOUT) != 0;
        events[index].failed = (raw[index].events & (EPOLLERR | EPOLLHUP)) != 0;
    }
    return count;
}

int cl_spawn_own_session(void) { return POSIX_SPAWN_SETSID; }

int cl_memfd(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

int cl_bounded_memory(const char *name, int64_t size) {
    int descriptor = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (descriptor < 0) return -1;
    if (ftruncate(descriptor, size) == 0 && fcntl(descriptor, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK) == 0) return descriptor;
    int error = errno;
    (void)close(descriptor);
    errno = error;
    return -1;
}

int cl_process_descriptor(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0u); }

int cl_reserve(int descriptor, int64_t offset, int64_t length) {
    if (fallocate(descriptor, FALLOC_FL_KEEP_SIZE, offset, length) == 0) return 0;
    return cl_is_unsupported(errno) ? 0 : -1;
}

bool cl_is_unsupported(int number) {
    switch (number) {
    case EOPNOTSUPP:
    case ENOSYS:
    case EINVAL:
    case EPERM:
    case ENOTTY:
    case ENODEV: return true;
    default: return false;
    }
}

int cl_rename_at(int from_directory, const char *from, int to_directory, const char *to, bool replace) {
    if (replace) return renameat(from_directory, from, to_directory, to);
    if (renameat2(from_directory, from, to_directory, to, RENAME_NOREPLACE) == 0) return 0;
    if (!cl_is_unsupported(errno)) return -1;
    // On a file system without the flag, a hard link refuses an existing target just as well.
    int result = cl_rename_by_link(from_directory, from, to_directory, to);
    if (result >= 0 || !cl_is_unsupported(errno)) return result;
    return cl_rename_by_placeholder(from_directory, from, to_directory, to);
}

int cl_rename_by_placeholder(int from_directory, const char *from, int to_directory, const char *to) {
    int file = openat(to_directory, to, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0) return -1;
    // The file is empty, so closing it can lose nothing.
    close(file);
    if (renameat(from_directory, from, to_directory, to) == 0) return 0;
    int number = errno;
    unlinkat(to_directory, to, 0);
    errno = number;
    return -1;
}

int cl_rename_by_link(int from_directory, const char *from, int to_directory, const char *to) {
    if (linkat(from_directory, from, to_directory, to, 0) != 0) return -1;
    // The file has its new name from here on, whatever becomes of the old one, so this must not be reported as a
    // failure.
    return unlinkat(from_directory, from, 0) == 0 || errno == ENOENT ? 0 : 1;
}

int cl_open_unnamed(int directory, mode_t mode) {
    int descriptor;
    do {
        descriptor = openat(directory, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
    } while (descriptor < 0 && errno == EINTR);
    return descriptor;
}

int cl_link_unnamed(int descriptor, int directory, const char *name) {
    // Before Linux 6.10 the empty path needs a capability, and its absence shows as ENOENT; /proc works for all users.
    if (linkat(descriptor, "", directory, name, AT_EMPTY_PATH) == 0) return 0;
    if (errno != ENOENT && errno != EPERM) return -1;
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    return linkat(AT_FDCWD, path, directory, name, AT_SYMLINK_FOLLOW);
}

long cl_time_omitted(void) { return UTIME_OMIT; }

ssize_t cl_attribute(int descriptor, const char *name, void *value, size_t size) {
    return fgetxattr(descriptor, name, value, size);
}

int cl_set_attribute(int descriptor, const char *name, const void *value, size_t size) {
    return fsetxattr(descriptor, name, value, size, 0);
}

int cl_remove_attribute(int descriptor, const char *name) { return fremovexattr(descriptor, name); }

int cl_syncfs(int descriptor) { return syncfs(descriptor); }

bool cl_syncfs_reports_errors(void) {
    struct utsname system;
    int major = 0;
    int minor = 0;
    if (uname(&system) != 0 || sscanf(system.release, "%d.%d", &major, &minor) != 2) return false;
    return major > 5 || (major == 5 && minor >= 8);
}

cl_file_system cl_file_system_of(int descriptor) {
    struct statfs facts;
    if (fstatfs(descriptor, &facts) != 0) return CL_FILE_SYSTEM_OTHER;
    switch (facts.f_type) {
    case TMPFS_MAGIC:
    case RAMFS_MAGIC: return CL_FILE_SYSTEM_MEMORY;
    case EXT4_SUPER_MAGIC:
    case XFS_SUPER_MAGIC:
    case BTRFS_SUPER_MAGIC:
    case F2FS_SUPER_MAGIC: return CL_FILE_SYSTEM_LOCAL;
    default: return CL_FILE_SYSTEM_OTHER;
    }
}

int64_t cl_descriptor_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > INT32_MAX) return INT32_MAX;
    return (int64_t)limit.rlim_cur;
}

int cl_raise_descriptor_limit(int64_t wanted) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return -1;
    if (limit.rlim_cur >= (rlim_t)wanted) return 0;
    limit.rlim_cur = limit.rlim_max < (rlim_t)wanted ? limit.rlim_max : (rlim_t)wanted;
    return setrlimit(RLIMIT_NOFILE, &limit);
}

int cl_limit_child(pid_t process, int64_t memory, int64_t file_size, int64_t seconds) {
    const struct { int resource; int64_t limit; } wanted[] = {
        {RLIMIT_AS, memory}, {RLIMIT_FSIZE, file_size}, {RLIMIT_CPU, seconds}, {RLIMIT_CORE, 0},
    };
    for (size_t index = 0; index < sizeof wanted / sizeof *wanted; index++) {
        struct rlimit limit = {(rlim_t)wanted[index].limit, (rlim_t)wanted[index].limit};
        struct rlimit own;
        // A limit of the user that is lower stays.
        if (prlimit(process, wanted[index].resource, NULL, &own) != 0) return errno == ESRCH ? 0 : -1;
        if (own.rlim_max < limit.rlim_max) limit.rlim_cur = limit.rlim_max = own.rlim_max;
        if (own.rlim_cur < limit.rlim_cur) limit.rlim_cur = own.rlim_cur;
        if (prlimit(process, wanted[index].resource, &limit, NULL) != 0) return errno == ESRCH ? 0 : -1;
    }
    return 0;
}

int64_t cl_address_space_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur > INT64_MAX) return INT64_MAX;
    return (int64_t)limit.rlim_cur;
}

int64_t cl_address_space_in_use(void) {
    char text[64];
    int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t count = read(file, text, sizeof text - 1);
    (void)close(file);
    if (count <= 0) return 0;
    text[count] = 0;
    return (int64_t)strtoll(text, NULL, 10) * sysconf(_SC_PAGESIZE);
}

void cl_share_arenas(void) { (void)mallopt(M_ARENA_MAX, 1); }

int cl_lock_exclusive(int descriptor) {
    struct flock lock;
    memset(&lock, 0, sizeof lock);
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    return fcntl(descriptor, F_OFD_SETLK, &lock);
}

int cl_close_unlocked(int descriptor) {
    struct flock lock;
    memset(&lock, 0, sizeof lock);
    lock.l_type = F_UNLCK;
    lock.l_whence = SEEK_SET;
    // A file system without locks has none to release; closing releases the rest.
    (void)fcntl(descriptor, F_OFD_SETLK, &lock);
    return close(descriptor);
}

bool cl_is_locked(int descriptor) {
    struct flock lock;
    memset(&lock, 0, sizeof lock);
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    return fcntl(descriptor, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

int cl_file_system_type(int descriptor, uint32_t *type) {
    struct statfs facts;
    if (fstatfs(descriptor, &facts) != 0) return -1;
    *type = (uint32_t)facts.f_type;
    return 0;
}

int cl_openat(int directory, const char *path, int flags, mode_t mode) {
    int descriptor;
    do {
        descriptor = openat(directory, path, flags | O_CLOEXEC, mode);
    } while (descriptor < 0 && errno == EINTR);
    return descriptor;
}

int64_t cl_peer_user(int descriptor) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    return getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? (int64_t)peer.uid : -1;
}

int cl_accept(int listener) {
    int descriptor;
    do {
        descriptor = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    } while (descriptor < 0 && errno == EINTR);
    return descriptor;
}

int cl_bytes_waiting(int descriptor) {
    int count = 0;
    return ioctl(descriptor, FIONREAD, &count) == 0 ? count : -1;
}

int cl_has_bytes_waiting(int descriptor) {
    char byte;
    return recv(descriptor, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0 ? 1 : 0;
}

int cl_shut_down(int descriptor) { return shutdown(descriptor, SHUT_RDWR); }

int cl_bytes_unacknowledged(int descriptor) {
    int count = 0;
    return ioctl(descriptor, SIOCOUTQ, &count) == 0 ? count : -1;
}

void cl_name_thread(const char *name) {
    char shortened[16];
    snprintf(shortened, sizeof shortened, "%s", name);
    (void)pthread_setname_np(pthread_self(), shortened);
}

void cl_block_all_signals(void) {
    sigset_t all;
    sigfillset(&all);
    // Faults must stay deliverable, or a crash would hang instead of ending the process.
    sigdelset(&all, SIGSEGV);
    sigdelset(&all, SIGBUS);
    sigdelset(&all, SIGILL);
    sigdelset(&all, SIGFPE);
    sigdelset(&all, SIGTRAP);
    sigdelset(&all, SIGABRT);
    (void)pthread_sigmask(SIG_BLOCK, &all, NULL);
}

int cl_hold_standard_descriptors(void) {
    for (int descriptor = 0; descriptor <= 2; descriptor++) {
        if (fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) continue;
        // Standard input and output get the opposite mode, so that using them still fails; messages to a closed standard
        // error are unwanted and vanish. The lowest free number is this one.
        int opened = open("/dev/null", descriptor == 1 ? O_RDONLY : O_WRONLY);
        if (opened != descriptor) return -1;
    }
    return 0;
}

void cl_ignore_sigpipe(void) { (void)signal(SIGPIPE, SIG_IGN); }

// The original arguments, as placed by the kernel; Swift's runtime has only copies.
static int argument_count = 0;
static char **argument_values = NULL;

// The C library passes main's arguments to constructors.
__attribute__((constructor)) static void keep_arguments(int count, char **values) {
    argument_count = count;
    argument_values = values;
}

int cl_argument_count(void) { return argument_values == NULL ? 0 : argument_count; }

const char *cl_argument(int index) {
    return index < 0 || index >= cl_argument_count() ? NULL : argument_values[index];
}

int cl_overwrite_argument(int index, const char *text) {
    if (argument_values == NULL || index < 0 || index >= argument_count || argument_values[index] == NULL) {
        errno = EINVAL;
        return -1;
    }
    size_t room = strlen(argument_values[index]), length = strlen(text);
    if (length > room) length = room;
    memcpy(argument_values[index], text, length);
    memset(argument_values[index] + length, ' ', room - length);
    return 0;
}

void cl_ignore_file_size_signal(void) { (void)signal(SIGXFSZ, SIG_IGN); }

// Never runs while the signals are blocked; it only replaces the default action.
static void take_no_action(int number) { (void)number; }

int cl_catch_signals(const int *signals, int count) {
    for (int index = 0; index < count; index++) {
        struct sigaction action;
        if (sigaction(signals[index], NULL, &action) != 0) return -1;
        if (action.sa_handler == SIG_IGN) continue;
        memset(&action, 0, sizeof action);
        action.sa_handler = take_no_action;
        action.sa_flags = SA_RESTART;
        if (sigaction(signals[index], &action, NULL) != 0) return -1;
    }
    return 0;
}

int cl_signalfd(const int *signals, int count) {
    sigset_t set;
    sigemptyset(&set);
    for (int index = 0; index < count; index++) {
        struct sigaction action;
        if (sigaction(signals[index], NULL, &action) != 0) return -1;
        // A blocked signal is delivered to the descriptor even when it is ignored.
        if (action.sa_handler != SIG_IGN) sigaddset(&set, signals[index]);
    }
    int result = pthread_sigmask(SIG_BLOCK, &set, NULL);
    if (result != 0) {
        errno = result;
        return -1;
    }
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int cl_signalfd_read(int descriptor) {
    struct signalfd_siginfo info;
    ssize_t count = read(descriptor, &info, sizeof info);
    return count == (ssize_t)sizeof info ? (int)info.ssi_signo : 0;
}

int cl_wcwidth(uint32_t scalar) { return wcwidth((wchar_t)scalar); }

int64_t cl_monotonic_milliseconds(void) { return cl_monotonic_nanoseconds() / 1000000; }

int64_t cl_monotonic_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}
