// Tokens of the Negotiate scheme (RFC 4559) from the user's Kerberos tickets.
#ifndef NETDASH_NEGOTIATE_H
#define NETDASH_NEGOTIATE_H

#include <stddef.h>

typedef enum {
    CC_NEGOTIATE_MADE,
    // The GSS-API library is not installed.
    CC_NEGOTIATE_UNAVAILABLE,
    // The library refused; `problem` says why.
    CC_NEGOTIATE_REFUSED,
} cc_negotiate_result;

// Makes the first token for a service such as HTTP@www.example.org, or writes to `problem` why it could not.
//
// The token has to be passed to free(). The call may wait for ticket servers, so it is unsuitable for a thread that
// must not block.
cc_negotiate_result cc_negotiate_token(
    const char *service, unsigned char **token, size_t *count, char *problem, size_t capacity);

#endif
