// How much of a TCP connection's data the kernel takes in while nobody reads it.
#ifndef NETDASH_CLINUX_RECEIVING_H
#define NETDASH_CLINUX_RECEIVING_H

#include <stdint.h>

// Each function returns -1 and sets errno on failure.

// Keeps a socket's receive buffer at its present size; ENOPROTOOPT before Linux 5.15.
int cl_receiving_fix(int descriptor);
// Leaves the size of a socket's receive buffer to the kernel, as it is at first.
int cl_receiving_free(int descriptor);
// Makes a receive buffer that was fixed large enough for so many bytes, as far as the system's limit goes, and keeps it
// at that; a larger one stays as it is.
int cl_receiving_grow(int descriptor, int bytes);
// Makes a receive buffer so many bytes large, or what the system allows without a privilege, and keeps it at that. The
// peer may still send what it was promised before.
int cl_receiving_shrink(int descriptor, int bytes);

typedef struct {
    // Bytes that have arrived since the connection was made.
    int64_t received;
    // Microseconds there and back, from what this side sent; the second as it is estimated from what it receives, which
    // is too long where the sender has nothing to send.
    uint32_t round_trip;
    uint32_t receive_round_trip;
    // The receive buffer's size; about half of it or more is room for data.
    int32_t buffer;
} cl_receiving;

int cl_receiving_figures(int descriptor, cl_receiving *figures);

#endif
