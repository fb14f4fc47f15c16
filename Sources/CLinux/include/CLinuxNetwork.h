// The kind of network link, and notice of changes.
#ifndef NETDASH_CLINUX_NETWORK_H
#define NETDASH_CLINUX_NETWORK_H

#include <stdbool.h>
#include <stddef.h>

// Each function returns -1 and sets errno on failure unless it says otherwise.

// A descriptor that becomes readable when a link, an address or a route changes; non-blocking and closed on exec.
int cl_network_watch(void);
// Discards all waiting messages. Returns 1 if there were any, otherwise 0.
int cl_network_drain(int descriptor);

// The link that a connection would use.
typedef enum {
    CL_LINK_NONE,
    CL_LINK_LOOPBACK,
    CL_LINK_WIRED,
    CL_LINK_WIRELESS,
    CL_LINK_CELLULAR,
    // A tunnel, a bridge, or an unknown kind.
    CL_LINK_OTHER,
} cl_link;

// The link of the route to a numeric address; CL_LINK_NONE without a route, or if the link is down. Sends nothing.
// False when the text is not an address.
bool cl_network_route(const char *address, cl_link *link);

#endif
