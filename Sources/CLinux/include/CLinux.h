// What Swift's Glibc module does not show: Linux calls and constants, as plain functions.
#ifndef NETDASH_CLINUX_H
#define NETDASH_CLINUX_H

#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>
#include <sys/types.h>

// Each function returns -1 and sets errno on failure unless it says otherwise.

// A counter descriptor that is non-blocking and closed on exec.
int cl_eventfd(void);
// Adds one to an eventfd. Returns 0; a full counter counts as success, because a wake-up is pending then.
int cl_eventfd_signal(int descriptor);
// Reads the counter back to zero. Returns 0 also when it was zero.
int cl_eventfd_drain(int descriptor);

int cl_epoll_create(void);
// Adds, changes or removes interest. `data` comes back from cl_epoll_wait.
int cl_epoll_add(int epoll, int descriptor, bool readable, bool writable, uint64_t data);
int cl_epoll_change(int epoll, int descriptor, bool readable, bool writable, uint64_t data);
int cl_epoll_remove(int epoll, int descriptor);
typedef struct {
    uint64_t data;
    bool readable;
    bool writable;
    bool failed;
} cl_event;
// Waits; timeout in milliseconds, -1 for ever. Returns the number of events written; 0 when interrupted.
int cl_epoll_wait(int epoll, cl_event *events, int capacity, int timeout_milliseconds);

// The flag of posix_spawn with which a child begins a session of its own, without a terminal.
int cl_spawn_own_session(void);
// An anonymous file in memory, closed on exec.
int cl_memfd(const char *name);
// The same with a size that stays: what is written behind it is refused.
int cl_bounded_memory(const char *name, int64_t size);
// Becomes readable when a child has ended; closed on exec. -1 where the kernel has no such thing.
int cl_process_descriptor(pid_t process);
// Reserves space without changing the visible size. 0 when done or when the file system cannot.
int cl_reserve(int descriptor, int64_t offset, int64_t length);
// Renames inside directories held open. With `replace` false an existing target gives EEXIST.
// 1 with errno set: the file has its new name and could not be rid of the old one; only with `replace` false.
int cl_rename_at(int from_directory, const char *from, int to_directory, const char *to, bool replace);
// The same without replacing, by a second name and the removal of the first: for file systems that know nothing better.
int cl_rename_by_link(int from_directory, const char *from, int to_directory, const char *to);
// The same where there are no second names either: an empty file takes the name and is replaced. A process that is killed
// between the two leaves the empty file; nothing of anybody's is ever replaced.
int cl_rename_by_placeholder(int from_directory, const char *from, int to_directory, const char *to);
// The descriptors that the process may have open; INT32_MAX without a limit.
int64_t cl_descriptor_limit(void);
// Raises that limit towards a number, as far as the system allows.
int cl_raise_descriptor_limit(int64_t wanted);
// The bytes of address space that the process may have; INT64_MAX without a limit.
int64_t cl_address_space_limit(void);
// The bytes of address space in use; 0 where the system does not tell.
int64_t cl_address_space_in_use(void);
// Has the threads that are made from here on share one arena of libc's allocator: each has 64 MiB of address space
// otherwise. Called before the first thread.
void cl_share_arenas(void);
// Whether an error number says that a file system, or what filters the calls, does not know a call or a flag. EPERM is
// what vfat says of links and modes.
bool cl_is_unsupported(int number);
// A new file of the directory's file system without a name: it vanishes with its last descriptor unless it gets one.
// EOPNOTSUPP, EISDIR or ENOENT where the file system or the kernel has no such files.
int cl_open_unnamed(int directory, mode_t mode);
// Gives such a file a name. Never replaces anything: a taken name gives EEXIST.
int cl_link_unnamed(int descriptor, int directory, const char *name);
// The nanoseconds that leave a time of futimens as it is.
long cl_time_omitted(void);
// The value of an extended attribute of an open file. Returns its length.
ssize_t cl_attribute(int descriptor, const char *name, void *value, size_t size);
int cl_set_attribute(int descriptor, const char *name, const void *value, size_t size);
// Removes an extended attribute of an open file.
int cl_remove_attribute(int descriptor, const char *name);
// Brings everything written to the descriptor's file system to the disk, other programs' data included.
int cl_syncfs(int descriptor);
// Whether this kernel's cl_syncfs reports data that could not be written: true from Linux 5.8 on.
bool cl_syncfs_reports_errors(void);
// What kind of file system something lies on, as far as syncing is concerned.
typedef enum {
    // In memory: nothing outlives the machine, whatever is synced.
    CL_FILE_SYSTEM_MEMORY,
    // On a disk of this machine, and cl_syncfs is known to make data and names durable.
    CL_FILE_SYSTEM_LOCAL,
    // Anything else.
    CL_FILE_SYSTEM_OTHER,
} cl_file_system;
cl_file_system cl_file_system_of(int descriptor);
// Takes an exclusive lock on the whole open file, not waiting. EAGAIN when another holds it.
int cl_lock_exclusive(int descriptor);
// Frees the lock and closes the file. Closing alone frees it only with the last copy of the descriptor, and a child has one
// from the moment it is made until it executes its program.
int cl_close_unlocked(int descriptor);
// Whether another open file holds a lock that stands in the way of that one; takes none. False where there are no locks.
bool cl_is_locked(int descriptor);
// The type of the file system an open file lies on, as linux/magic.h numbers them.
int cl_file_system_type(int descriptor, uint32_t *type);
int cl_openat(int directory, const char *path, int flags, mode_t mode);

// Takes one waiting connection; its descriptor blocks and is closed on exec.
int cl_accept(int listener);

// Bytes that can be read from a socket without waiting.
int cl_bytes_waiting(int descriptor);

// Whether a socket has bytes to be read: 1, or 0 at its end and when there are none.
int cl_has_bytes_waiting(int descriptor);
// Ends both directions of a connection; its descriptor stays.
int cl_shut_down(int descriptor);

// The port of this machine that a TCP socket has; 0 when it has none.
int cl_local_port(int descriptor);
// Whether a TCP socket leads to the address, as text, and the port of its peer.
bool cl_leads_to(int descriptor, const char *peer_address, int peer_port);

// Bytes written to a TCP socket that its peer has not acknowledged yet.
int cl_bytes_unacknowledged(int descriptor);

// Names the calling thread (15 bytes at most are kept).
void cl_name_thread(const char *name);
// Blocks every signal in the calling thread, so that signals go to the thread that reads them.
void cl_block_all_signals(void);
// Keeps the numbers of closed standard descriptors from being given to files, into which lines would then be written.
// 0, or -1 when there is no /dev/null to put there.
int cl_hold_standard_descriptors(void);
void cl_ignore_sigpipe(void);
// How many arguments main got, the program's name among them; 0 where the C library does not say.
int cl_argument_count(void);
// The bytes of an argument; NULL when there is no such argument.
const char *cl_argument(int index);
// Writes a text over an argument of this process, where other users read it; blanks fill the rest, and what has no room
// is left out. -1 when there is no such argument.
int cl_overwrite_argument(int index, const char *text);
// Lets a write beyond the process's limit for files fail with EFBIG instead of ending the process.
void cl_ignore_file_size_signal(void);

// Gives signals a handler that does nothing, so that libraries find them taken. Those that are ignored stay ignored.
int cl_catch_signals(const int *signals, int count);
// A descriptor that reads those of the given signals that are not ignored; they are blocked in the calling thread.
int cl_signalfd(const int *signals, int count);
// Reads one pending signal number from a signalfd; 0 when none is pending.
int cl_signalfd_read(int descriptor);

#include "CLinuxNetwork.h"
#include "CLinuxPseudoterminal.h"
#include "CLinuxReceiving.h"

// Columns of a code point: -1 not printable in this locale, 0 combining, 1 or 2.
int cl_wcwidth(uint32_t scalar);

// Milliseconds of CLOCK_MONOTONIC.
int64_t cl_monotonic_milliseconds(void);
// Nanoseconds of CLOCK_MONOTONIC.
int64_t cl_monotonic_nanoseconds(void);

// Whether something keeps the system's clock right: 1 or 0, -1 when the kernel does not say.
int cl_clock_is_kept(void);

#endif
