// The size of the kernel's receive buffer of a TCP connection.
#ifndef NETDASH_CLINUX_RECEIVING_H
#define NETDASH_CLINUX_RECEIVING_H

#include <stdint.h>

// Each function returns -1 and sets errno on failure.

// Fixes a socket's receive buffer at its present size; ENOPROTOOPT before Linux 5.15.
int cl_receiving_fix(int descriptor);
// Returns control of a socket's receive buffer to the kernel, as it is initially.
int cl_receiving_free(int descriptor);
// Enlarges a fixed receive buffer to fit `bytes`, within the system's limit, and fixes it there; a larger one stays as
// it is.
int cl_receiving_grow(int descriptor, int bytes);
// Sets a receive buffer to `bytes`, or to what the system allows without a privilege, and fixes it there. The peer may
// still send the window it was promised before.
int cl_receiving_shrink(int descriptor, int bytes);

typedef struct {
    // Bytes that have arrived since the connection was made.
    int64_t received;
    // Round trips in microseconds: measured from what this side sent, and estimated from what it receives, which is too
    // long if the sender has nothing to send.
    uint32_t round_trip;
    uint32_t receive_round_trip;
    // The receive buffer's size; about half of it or more is room for data.
    int32_t buffer;
} cl_receiving;

int cl_receiving_figures(int descriptor, cl_receiving *figures);

#endif
