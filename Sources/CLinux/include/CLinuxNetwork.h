// Which networks there are, and word of when that changes.
#ifndef NETDASH_CLINUX_NETWORK_H
#define NETDASH_CLINUX_NETWORK_H

#include <stdbool.h>
#include <stddef.h>

// Each function returns -1 and sets errno on failure unless it says otherwise.

// A descriptor that becomes readable when a link, an address or a route changes; non-blocking and closed on exec.
int cl_network_watch(void);
// Throws away everything that waits there. Returns 1 when something did, 0 when nothing did.
int cl_network_drain(int descriptor);

// What a connection would leave by.
typedef enum {
    CL_LINK_NONE,
    CL_LINK_LOOPBACK,
    CL_LINK_WIRED,
    CL_LINK_WIRELESS,
    CL_LINK_CELLULAR,
    // A tunnel, a bridge, or a kind this function does not know.
    CL_LINK_OTHER,
} cl_link;

// The link of the route to an address written in digits; CL_LINK_NONE when there is no route or the link is down.
// Nothing is sent. False when the text is not an address.
bool cl_network_route(const char *address, cl_link *link);

#endif
