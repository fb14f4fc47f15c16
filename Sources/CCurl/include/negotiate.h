// Tokens of the Negotiate scheme (RFC 4559) from the user's Kerberos tickets.
#ifndef NETDASH_NEGOTIATE_H
#define NETDASH_NEGOTIATE_H

#include <stddef.h>

typedef enum {
    CC_NEGOTIATE_MADE,
    // The library of GSS-API is not installed.
    CC_NEGOTIATE_UNAVAILABLE,
    // The library refused; its own words say why.
    CC_NEGOTIATE_REFUSED,
} cc_negotiate_result;

// Makes the first token for a service such as HTTP@www.example.org, and writes why there is none where it could not.
//
// The token is for free(). May wait for the servers that grant tickets, so it is nothing for a thread that must not wait.
cc_negotiate_result cc_negotiate_token(
    const char *service, unsigned char **token, size_t *count, char *problem, size_t capacity);

#endif
