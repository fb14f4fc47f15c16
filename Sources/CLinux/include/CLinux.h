// Linux calls and constants that Swift's Glibc module lacks, as plain functions.
#ifndef NETDASH_CLINUX_H
#define NETDASH_CLINUX_H

#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>
#include <sys/types.h>

// Each function returns -1 and sets errno on failure unless it says otherwise.

// A counter descriptor that is non-blocking and closed on exec.
int cl_eventfd(void);
// Adds one to an eventfd. Returns 0 even if the counter is full, because a wake-up is pending then.
int cl_eventfd_signal(int descriptor);
// Resets the counter to zero. Returns 0 even if it was zero.
int cl_eventfd_drain(int descriptor);

int cl_epoll_create(void);
// Add, change or remove interest. `data` comes back from cl_epoll_wait.
int cl_epoll_add(int epoll, int descriptor, bool readable, bool writable, uint64_t data);
int cl_epoll_change(int epoll, int descriptor, bool readable, bool writable, uint64_t data);
int cl_epoll_remove(int epoll, int descriptor);
typedef struct {
    uint64_t data;
    bool readable;
    bool writable;
    bool failed;
} cl_event;
// Waits; timeout in milliseconds, -1 for none. Returns the number of events written; 0 when interrupted.
int cl_epoll_wait(int epoll, cl_event *events, int capacity, int timeout_milliseconds);

// The flag of posix_spawn that starts a child in a new session, without a terminal.
int cl_spawn_own_session(void);
// An anonymous file in memory, closed on exec.
int cl_memfd(const char *name);
// The same with a fixed size: a write beyond it is refused.
int cl_bounded_memory(const char *name, int64_t size);
// Becomes readable when a child has ended; closed on exec. -1 if the kernel lacks it.
int cl_process_descriptor(pid_t process);
// Reserves space without changing the visible size. Returns 0 on success, or if the file system cannot do it.
int cl_reserve(int descriptor, int64_t offset, int64_t length);
// Renames between open directories. With `replace` false an existing target gives EEXIST. Returns 1 with errno set if
// the file has its new name but its old one could not be removed; only with `replace` false.
int cl_rename_at(int from_directory, const char *from, int to_directory, const char *to, bool replace);
// The same without replacing, by a hard link and the removal of the old name, for file systems without a better call.
int cl_rename_by_link(int from_directory, const char *from, int to_directory, const char *to);
// The same without hard links: an empty file takes the name and is replaced. A process killed between the two leaves
// the empty file; no other file is ever replaced.
int cl_rename_by_placeholder(int from_directory, const char *from, int to_directory, const char *to);
// The most descriptors that the process may have open; INT32_MAX without a limit.
int64_t cl_descriptor_limit(void);
// Raises that limit to a number, or as far as the system allows.
int cl_raise_descriptor_limit(int64_t wanted);
// Limits a child that was just started: its address space and a file that it writes in bytes, its processor time in
// seconds. It leaves no core file. Returns 0, also for one that has ended.
int cl_limit_child(pid_t process, int64_t memory, int64_t file_size, int64_t seconds);
// The address space that the process may use, in bytes; INT64_MAX without a limit.
int64_t cl_address_space_limit(void);
// The address space in use, in bytes; 0 if the system does not report it.
int64_t cl_address_space_in_use(void);
// Makes the threads created from here on share one arena of libc's allocator; otherwise each reserves 64 MiB of address
// space. To be called before the first thread.
void cl_share_arenas(void);
// Whether an error number says that a file system, or a system-call filter, does not support a call or a flag. vfat
// reports EPERM for links and modes.
bool cl_is_unsupported(int number);
// A new file without a name on the directory's file system: it vanishes with its last descriptor unless it gets one.
// EOPNOTSUPP, EISDIR or ENOENT if the file system or the kernel does not support it.
int cl_open_unnamed(int directory, mode_t mode);
// Gives such a file a name. Never replaces a file: a taken name gives EEXIST.
int cl_link_unnamed(int descriptor, int directory, const char *name);
// The nanoseconds that make futimens leave a time unchanged.
long cl_time_omitted(void);
// The value of an extended attribute of an open file. Returns its length.
ssize_t cl_attribute(int descriptor, const char *name, void *value, size_t size);
int cl_set_attribute(int descriptor, const char *name, const void *value, size_t size);
// Removes an extended attribute of an open file.
int cl_remove_attribute(int descriptor, const char *name);
// Syncs the descriptor's file system to the disk, including other programs' data.
int cl_syncfs(int descriptor);
// Whether this kernel's cl_syncfs reports data that could not be written: true from Linux 5.8 on.
bool cl_syncfs_reports_errors(void);
// The kind of file system, as far as syncing is concerned.
typedef enum {
    // In memory: nothing survives a power failure, synced or not.
    CL_FILE_SYSTEM_MEMORY,
    // On a local disk, where cl_syncfs is known to make data and names durable.
    CL_FILE_SYSTEM_LOCAL,
    // Anything else.
    CL_FILE_SYSTEM_OTHER,
} cl_file_system;
cl_file_system cl_file_system_of(int descriptor);
// Takes an exclusive lock on an open file without waiting. EAGAIN when another open file has it.
int cl_lock_exclusive(int descriptor);
// Releases the lock and closes the file. Closing alone releases it only with the last copy of the descriptor, and a
// child has one between fork and exec.
int cl_close_unlocked(int descriptor);
// Whether another open file has a lock that conflicts with that one; takes none. False if locks are unsupported.
bool cl_is_locked(int descriptor);
// The type of an open file's file system, as numbered in linux/magic.h.
int cl_file_system_type(int descriptor, uint32_t *type);
int cl_openat(int directory, const char *path, int flags, mode_t mode);

// Accepts one waiting connection; its descriptor blocks and is closed on exec.
int cl_accept(int listener);

// The user of the process at the other end of a Unix socket, as the kernel knows it.
int64_t cl_peer_user(int descriptor);

// Bytes that can be read from a socket without waiting.
int cl_bytes_waiting(int descriptor);

// Returns 1 if a socket has bytes to read, 0 if it has none or is at its end.
int cl_has_bytes_waiting(int descriptor);
// Ends both directions of a connection; its descriptor stays open.
int cl_shut_down(int descriptor);

// The local port of a TCP socket; 0 when it has none.
int cl_local_port(int descriptor);
// Whether a TCP socket's peer has the given address, as text, and port.
bool cl_leads_to(int descriptor, const char *peer_address, int peer_port);

// Bytes written to a TCP socket that its peer has not acknowledged.
int cl_bytes_unacknowledged(int descriptor);

// Names the calling thread; only 15 bytes are kept.
void cl_name_thread(const char *name);
// Blocks signals in the calling thread, so that they go to the thread that reads them; SIGSEGV and the like stay
// deliverable.
void cl_block_all_signals(void);
// Reserves the numbers of closed standard descriptors, so that no file gets one and then receives output. Returns 0, or
// -1 without /dev/null.
int cl_hold_standard_descriptors(void);
void cl_ignore_sigpipe(void);
// The number of main's arguments, including the program's name; 0 if the C library does not pass them.
int cl_argument_count(void);
// The bytes of an argument; NULL when there is no such argument.
const char *cl_argument(int index);
// Overwrites an argument of this process, which other users can read; the text is truncated, or padded with blanks. -1
// when there is no such argument.
int cl_overwrite_argument(int index, const char *text);
// Makes a write beyond the process's file size limit fail with EFBIG instead of ending the process.
void cl_ignore_file_size_signal(void);

// Gives signals a handler that does nothing, so that libraries do not install theirs. Ignored signals stay ignored.
int cl_catch_signals(const int *signals, int count);
// A descriptor that reads the given signals except ignored ones; they are blocked in the calling thread.
int cl_signalfd(const int *signals, int count);
// Reads one pending signal number from a signalfd; 0 when none is pending.
int cl_signalfd_read(int descriptor);

#include "CLinuxNetwork.h"
#include "CLinuxPseudoterminal.h"
#include "CLinuxReceiving.h"
#include "CLinuxWatching.h"

// Columns of a code point: -1 not printable in this locale, 0 combining, 1 or 2.
int cl_wcwidth(uint32_t scalar);

int64_t cl_monotonic_milliseconds(void);
int64_t cl_monotonic_nanoseconds(void);

// Whether the system's clock is kept synchronised: 1 or 0, -1 when the kernel does not report it.
int cl_clock_is_kept(void);

#endif
