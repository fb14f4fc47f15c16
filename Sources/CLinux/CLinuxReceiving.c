#define _GNU_SOURCE
#include "CLinuxReceiving.h"

#include <errno.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
// The C library's netinet/tcp.h has a tcp_info that ends before the byte counts.
#include <linux/tcp.h>

// These constants are from Linux 5.15; the C library's headers may be older.
#ifndef SO_BUF_LOCK
#define SO_BUF_LOCK 72
#endif
#ifndef SOCK_RCVBUF_LOCK
#define SOCK_RCVBUF_LOCK 2
#endif

static int lock_buffers(int descriptor, int mask) {
    return setsockopt(descriptor, SOL_SOCKET, SO_BUF_LOCK, &mask, sizeof mask);
}

// TCP_WINDOW_CLAMP stops nothing that was offered before, and leaves a window of 1 KiB once it is undone; a plain SO_RCVBUF
// drops bytes in flight or is bounded by rmem_max.
int cl_receiving_fix(int descriptor) { return lock_buffers(descriptor, SOCK_RCVBUF_LOCK); }

int cl_receiving_free(int descriptor) { return lock_buffers(descriptor, 0); }

int cl_receiving_grow(int descriptor, int bytes) {
    if (cl_receiving_free(descriptor) != 0) return -1;
    // The kernel enlarges a buffer to fit SO_RCVLOWAT, beyond what SO_RCVBUF allows without a privilege.
    int usual = 1;
    int result = setsockopt(descriptor, SOL_SOCKET, SO_RCVLOWAT, &bytes, sizeof bytes);
    if (setsockopt(descriptor, SOL_SOCKET, SO_RCVLOWAT, &usual, sizeof usual) != 0) result = -1;
    if (cl_receiving_fix(descriptor) != 0) result = -1;
    return result;
}

int cl_receiving_shrink(int descriptor, int bytes) {
    int half = bytes / 2;  // the kernel doubles the value
    return setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &half, sizeof half);
}

int cl_receiving_figures(int descriptor, cl_receiving *figures) {
    struct tcp_info info;
    memset(&info, 0, sizeof info);
    socklen_t size = sizeof info;
    if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return -1;
    if (size < offsetof(struct tcp_info, tcpi_bytes_received) + sizeof info.tcpi_bytes_received) {
        errno = ENOPROTOOPT;
        return -1;
    }
    int buffer = 0;
    socklen_t width = sizeof buffer;
    if (getsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &buffer, &width) != 0) return -1;
    figures->received = (int64_t)info.tcpi_bytes_received;
    figures->round_trip = info.tcpi_rtt;
    figures->receive_round_trip = info.tcpi_rcv_rtt;
    figures->buffer = buffer;
    return 0;
}
