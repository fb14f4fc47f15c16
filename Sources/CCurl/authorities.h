// Between the files of this module only.
#ifndef NETDASH_AUTHORITIES_H
#define NETDASH_AUTHORITIES_H

#include <openssl/ssl.h>
#include <stdbool.h>

#include "trust.h"

// Gives a connection that is about to be made the authorities; false when memory is short.
bool cc_authorities_serve(cc_authorities *authorities, SSL_CTX *context);

#endif
