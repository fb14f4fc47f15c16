// The hosts a cookie may be for, by the Public Suffix List.
#ifndef NETDASH_CCURL_SUFFIXES_H
#define NETDASH_CCURL_SUFFIXES_H

#include <stdbool.h>

typedef enum {
    // The server must not set it.
    CC_COOKIE_REFUSED,
    // It is sent back to the host that set it.
    CC_COOKIE_OF_HOST,
    // It is sent back to the hosts of its domain.
    CC_COOKIE_OF_DOMAIN,
} cc_cookie_scope;

// Reads the system's list, or libpsl's built-in one if that is newer, on the first call; a small file. False without a
// list. Safe from any thread.
bool cc_load_public_suffixes(void);

// The hosts that get a cookie a host sets with a domain (RFC 6265, 5.3, steps 5 and 6). Both are lower-case ASCII, an
// IPv6 address is in brackets. Without a list a domain other than the host itself is refused.
cc_cookie_scope cc_scope_of_cookie(const char *host, const char *domain);

#endif
