#define _GNU_SOURCE
#include "CNcurses.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

// The crash handler also reads all of this, so it is plain memory that is filled in before it is needed.
static int terminal = -1;
static struct termios saved_modes;
static uint8_t restore_bytes[1024];
static volatile size_t restore_count;
static atomic_int entered;
static atomic_int saved_errors = -1;
static int captured_errors = -1;
static struct sigaction previous_actions[NSIG];
static uint8_t alternate_stack[65536];

static const int fatal_signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS};
#define FATAL_COUNT ((int)(sizeof fatal_signals / sizeof fatal_signals[0]))

// Writes all bytes to a descriptor that may not block, and gives up when nothing is accepted for half a second.
static void write_all(int descriptor, const void *bytes, size_t count) {
    const char *next = bytes;
    while (count > 0) {
        ssize_t written = write(descriptor, next, count);
        if (written > 0) {
            next += written;
            count -= (size_t)written;
        } else if (written < 0 && errno == EAGAIN) {
            struct pollfd wait = {descriptor, POLLOUT, 0};
            if (poll(&wait, 1, 500) <= 0) return;
        } else if (written == 0 || errno != EINTR) {
            return;
        }
    }
}

int cn_device_adopt(int descriptor) {
    static bool registered;
    if (tcgetattr(descriptor, &saved_modes) != 0) return -1;
    if (!registered && atexit(cn_device_restore) != 0) return -1;
    registered = true;
    terminal = descriptor;
    return 0;
}

int cn_device_enter(void) {
    struct termios modes = saved_modes;
    modes.c_iflag &= ~(tcflag_t)(IXON | ICRNL | INLCR | IGNCR | BRKINT | ISTRIP | PARMRK);
    modes.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ECHONL | ISIG | IEXTEN);
    modes.c_oflag &= ~(tcflag_t)OPOST;
    // With VMIN 1, a read of zero bytes means that the terminal is gone.
    modes.c_cc[VMIN] = 1;
    modes.c_cc[VTIME] = 0;
    atomic_store(&entered, 1);
    if (tcsetattr(terminal, TCSADRAIN, &modes) == 0) return 0;
    atomic_store(&entered, 0);
    return -1;
}

int cn_device_set_restore(const uint8_t *bytes, size_t count) {
    if (count > sizeof restore_bytes) return -1;
    // While the count is zero, a crash sends nothing instead of a mix of two strings.
    restore_count = 0;
    atomic_signal_fence(memory_order_seq_cst);
    memcpy(restore_bytes, bytes, count);
    atomic_signal_fence(memory_order_seq_cst);
    restore_count = count;
    return 0;
}

void cn_device_restore(void) {
    if (atomic_exchange(&entered, 0) == 0) return;
    int error = errno;
    write_all(terminal, restore_bytes, restore_count);
    // TCSANOW is used because waiting for output to drain would hang on a stopped terminal.
    while (tcsetattr(terminal, TCSANOW, &saved_modes) != 0 && errno == EINTR) continue;
    errno = error;
}

void cn_device_abandon(void) { atomic_store(&entered, 0); }

void cn_device_release(void) {
    cn_device_abandon();
    terminal = -1;
    restore_count = 0;
}

int cn_device_size(int descriptor, int *rows, int *columns) {
    struct winsize size;
    if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) return -1;
    *rows = size.ws_row;
    *columns = size.ws_col;
    return 0;
}

bool cn_device_is_foreground(int descriptor) {
    pid_t group = tcgetpgrp(descriptor);
    return group < 0 ? errno == ENOTTY : group == getpgrp();
}

int cn_errors_capture(int capture) {
    if (atomic_load(&saved_errors) >= 0) {
        errno = EALREADY;
        return -1;
    }
    int saved = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    if (saved < 0) return -1;
    if (dup2(capture, STDERR_FILENO) < 0) {
        (void)close(saved);
        return -1;
    }
    captured_errors = capture;
    atomic_store(&saved_errors, saved);
    return 0;
}

void cn_errors_replay(void) {
    int saved = atomic_exchange(&saved_errors, -1);
    if (saved < 0) return;
    (void)dup2(saved, STDERR_FILENO);
    (void)close(saved);
    // Only the last 64 KiB are replayed: the end says most when a chatty library has filled the file.
    const off_t limit = 65536;
    off_t end = lseek(captured_errors, 0, SEEK_END);
    char chunk[1024];
    for (off_t offset = end > limit ? end - limit : 0; offset < end;) {
        ssize_t count = pread(captured_errors, chunk, sizeof chunk, offset);
        if (count <= 0) return;
        write_all(STDERR_FILENO, chunk, (size_t)count);
        offset += count;
    }
}

static void crashed(int number, siginfo_t *information, void *context) {
    static const char sentence[] = "netdash has crashed; the terminal is restored and unfinished parts are kept.\n";
    (void)context;
    cn_device_restore();
    cn_errors_replay();
    write_all(STDERR_FILENO, sentence, sizeof sentence - 1);
    (void)sigaction(number, &previous_actions[number], NULL);
    // A fault happens again when this returns and meets the previous action in its own context; a signal that was sent
    // must be raised again.
    if (information->si_code <= 0) (void)raise(number);
}

int cn_crash_handler_install(void) {
    static bool installed;
    if (installed) return 0;
    stack_t stack = {.ss_sp = alternate_stack, .ss_size = sizeof alternate_stack};
    if (sigaltstack(&stack, NULL) != 0) return -1;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = crashed;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigfillset(&action.sa_mask);
    // Swift's own handler is interactive and prints memory, so it stays off unless SWIFT_BACKTRACE is set.
    bool wants_backtrace = getenv("SWIFT_BACKTRACE") != NULL;
    for (int index = 0; index < FATAL_COUNT; index++) {
        struct sigaction *previous = &previous_actions[fatal_signals[index]];
        if (sigaction(fatal_signals[index], &action, previous) != 0) return -1;
        if (wants_backtrace) continue;
        memset(previous, 0, sizeof *previous);
        previous->sa_handler = SIG_DFL;
    }
    installed = true;
    return 0;
}
