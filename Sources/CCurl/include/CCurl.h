// libcurl as plain functions: its own are variadic, which Swift cannot import.
#ifndef NETDASH_CCURL_H
#define NETDASH_CCURL_H

#if !__has_include(<curl/curl.h>) || !__has_include(<openssl/ssl.h>) || !__has_include(<zlib.h>) || \
    !__has_include(<brotli/decode.h>) || !__has_include(<zstd.h>) || !__has_include(<libpsl.h>)
#error "Headers are missing; on Debian: apt-get install libbrotli-dev libcurl4-openssl-dev libpsl-dev libssl-dev libzstd-dev zlib1g-dev"
#endif
#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "decoder.h"
#include "digest.h"
#include "host.h"
#include "negotiate.h"
#include "suffixes.h"
#include "tls.h"
#include "trust.h"

typedef size_t (*cc_data_callback)(char *buffer, size_t size, size_t count, void *context);
typedef int (*cc_seek_callback)(void *context, curl_off_t offset, int origin);
typedef int (*cc_socket_callback)(CURL *easy, curl_socket_t socket, int what, void *context, void *assigned);
typedef int (*cc_socket_made_callback)(void *context, curl_socket_t socket, curlsocktype purpose);
typedef int (*cc_socket_closed_callback)(void *context, curl_socket_t socket);
typedef int (*cc_timer_callback)(CURLM *multi, long milliseconds, void *context);

// Options by the type of their argument.
CURLcode cc_set_long(CURL *easy, CURLoption option, long value);
CURLcode cc_set_offset(CURL *easy, CURLoption option, int64_t value);
CURLcode cc_set_string(CURL *easy, CURLoption option, const char *value);
CURLcode cc_set_pointer(CURL *easy, CURLoption option, void *value);
// Copies the bytes.
CURLcode cc_set_blob(CURL *easy, CURLoption option, const void *bytes, size_t length);
CURLcode cc_set_list(CURL *easy, CURLoption option, struct curl_slist *value);
CURLcode cc_set_data_callback(CURL *easy, CURLoption option, cc_data_callback callback);
CURLcode cc_set_seek_callback(CURL *easy, cc_seek_callback callback);
CURLcode cc_set_socket_made_callback(CURL *easy, cc_socket_made_callback callback);
// The callback closes the socket. The context must outlive the connection, which may be kept for other handles.
CURLcode cc_set_socket_closed_callback(CURL *easy, cc_socket_closed_callback callback, void *context);

// Has libcurl answer a server's challenges of NTLM, and no others, with this name and password.
CURLcode cc_set_ntlm(CURL *easy, const char *user, const char *password);

// Sets the options of every connection's socket; false when the system refuses.
bool cc_prepare_socket(int descriptor);
// Sets the differentiated services field and the priority of a socket's packets, where a negative priority is the usual
// one; false when the system refuses. A Unix socket has neither.
bool cc_mark_socket(int descriptor, uint8_t service_type, int priority);

// A store of TLS sessions for handles of one thread, to be passed to curl_share_cleanup once no handle uses it; NULL
// when memory is short.
CURLSH *cc_session_store_create(void);

// Sets the options that every attempt has in common: protocols, trust, no signals, no ambient configuration (netrc,
// proxies of the environment, redirects), sockets closed on exec. Stops at the first option refused.
CURLcode cc_set_common(CURL *easy);

// Figures by the type of their result; zero or NULL if libcurl has none.
long cc_get_long(CURL *easy, CURLINFO info);
int64_t cc_get_offset(CURL *easy, CURLINFO info);
const char *cc_get_string(CURL *easy, CURLINFO info);
void *cc_get_private(CURL *easy);

CURLMcode cc_multi_set_long(CURLM *multi, CURLMoption option, long value);
CURLMcode cc_multi_set_socket_callback(CURLM *multi, cc_socket_callback callback, void *context);
CURLMcode cc_multi_set_timer_callback(CURLM *multi, cc_timer_callback callback, void *context);

// The next finished handle; false when there is none.
bool cc_multi_next_finished(CURLM *multi, CURL **easy, CURLcode *result);

// libcurl's version and build options.
const curl_version_info_data *cc_version_info(void);

// Results of a data callback that ask libcurl to wait or to stop.
size_t cc_write_pause(void);
size_t cc_read_pause(void);
size_t cc_read_abort(void);

#endif
