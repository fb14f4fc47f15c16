// Private to this module's files.
#ifndef NETDASH_AUTHORITIES_H
#define NETDASH_AUTHORITIES_H

#include <openssl/ssl.h>
#include <stdbool.h>

#include "trust.h"

// Sets the authorities for a new connection; fails when memory is short, or when a named file cannot be read.
CURLcode cc_authorities_serve(cc_authorities *authorities, SSL_CTX *context);

// The verification result stored when a certificate names no host.
#define CC_NAMES_NO_HOST X509_V_ERR_EMPTY_SUBJECT_ALT_NAME

// Whether a certificate names a host or an address in its subjectAltName.
bool cc_names_a_host(X509 *certificate);

// Applies the rule for every new connection: its server's certificate must name a host.
void cc_set_rules(SSL_CTX *context);

#endif
