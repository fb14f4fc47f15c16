// Which hosts a cookie may be for, by the list of public suffixes.
#ifndef NETDASH_CCURL_SUFFIXES_H
#define NETDASH_CCURL_SUFFIXES_H

#include <stdbool.h>

typedef enum {
    // Its server must not set it.
    CC_COOKIE_REFUSED,
    // It goes back to the host that set it.
    CC_COOKIE_OF_HOST,
    // It goes back to the hosts of its domain.
    CC_COOKIE_OF_DOMAIN,
} cc_cookie_scope;

// Reads the system's list, or the one within libpsl if that is newer, the first time; a small file. False without a list.
// Safe from any thread.
bool cc_load_public_suffixes(void);

// Which hosts get a cookie that a host sets with a domain (RFC 6265, 5.3, steps 5 and 6). Both are in small letters and
// ASCII, an IPv6 address is in brackets. Without a list a domain is the host itself or refused.
cc_cookie_scope cc_scope_of_cookie(const char *host, const char *domain);

#endif
