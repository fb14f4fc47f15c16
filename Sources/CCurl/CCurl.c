#include "CCurl.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

CURLcode cc_set_long(CURL *easy, CURLoption option, long value) { return curl_easy_setopt(easy, option, value); }

CURLcode cc_set_offset(CURL *easy, CURLoption option, int64_t value) {
    return curl_easy_setopt(easy, option, (curl_off_t)value);
}

CURLcode cc_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

CURLcode cc_set_pointer(CURL *easy, CURLoption option, void *value) { return curl_easy_setopt(easy, option, value); }

CURLcode cc_set_blob(CURL *easy, CURLoption option, const void *bytes, size_t length) {
    struct curl_blob blob = {(void *)bytes, length, CURL_BLOB_COPY};
    return curl_easy_setopt(easy, option, &blob);
}

CURLcode cc_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(easy, option, value);
}

CURLcode cc_set_data_callback(CURL *easy, CURLoption option, cc_data_callback callback) {
    return curl_easy_setopt(easy, option, callback);
}

CURLcode cc_set_seek_callback(CURL *easy, cc_seek_callback callback) {
    return curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, callback);
}

CURLcode cc_set_ntlm(CURL *easy, const char *user, const char *password) {
    CURLcode result = curl_easy_setopt(easy, CURLOPT_HTTPAUTH, (long)CURLAUTH_NTLM);
    if (result == CURLE_OK) result = curl_easy_setopt(easy, CURLOPT_USERNAME, user);
    return result == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_PASSWORD, password) : result;
}

// The kernel keeps sending this much even while an upload is paused; more is not needed to keep a fast line busy.
enum { MOST_UNSENT = 256 << 10 };

// A peer that has vanished, or whose line was cut, sends nothing: without keep-alive probes a wait for its response
// would never end. It is known to be gone 90 seconds after its last packet.
enum { QUIET_SECONDS = 45, SECONDS_BETWEEN_PROBES = 15, PROBES = 3 };

static bool keep_alive(int descriptor) {
    int on = 1, quiet = QUIET_SECONDS, interval = SECONDS_BETWEEN_PROBES, count = PROBES;
    return setsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on) == 0
           && setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPIDLE, &quiet, sizeof quiet) == 0
           && setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval) == 0
           && setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof count) == 0;
}

bool cc_prepare_socket(int descriptor) {
    int most = MOST_UNSENT;
    // Unix sockets have no such option.
    if (setsockopt(descriptor, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &most, sizeof most) != 0 && errno != EOPNOTSUPP) return false;
    // Unix sockets notice their peer's end by themselves.
    if (!keep_alive(descriptor) && errno != EOPNOTSUPP) return false;
    // Child processes would otherwise inherit libcurl's sockets.
    return fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0;
}

static bool has_priority(int descriptor, int priority) {
    return setsockopt(descriptor, SOL_SOCKET, SO_PRIORITY, &priority, sizeof priority) == 0;
}

bool cc_mark_socket(int descriptor, uint8_t service_type, int priority) {
    int family = AF_UNSPEC, type = service_type;
    socklen_t size = sizeof family;
    if (getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &family, &size) != 0) return false;
    if (family == AF_INET6) {
        return setsockopt(descriptor, IPPROTO_IPV6, IPV6_TCLASS, &type, sizeof type) == 0
               && has_priority(descriptor, priority < 0 ? 0 : priority);
    }
    if (family != AF_INET) return true;
    // The service type changes the priority, so that one comes second.
    return setsockopt(descriptor, IPPROTO_IP, IP_TOS, &type, sizeof type) == 0
           && (priority < 0 || has_priority(descriptor, priority));
}

CURLcode cc_set_socket_made_callback(CURL *easy, cc_socket_made_callback callback) {
    return curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, callback);
}

CURLcode cc_set_socket_closed_callback(CURL *easy, cc_socket_closed_callback callback, void *context) {
    CURLcode result = curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, context);
    return result == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, callback) : result;
}

CURLcode cc_set_common(CURL *easy) {
    CURLcode result = CURLE_OK;
#define SET(option, value)                                  \
    do {                                                    \
        result = curl_easy_setopt(easy, (option), (value)); \
        if (result != CURLE_OK) return result;              \
    } while (0)
    SET(CURLOPT_PROTOCOLS_STR, "http,https");
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    SET(CURLOPT_UNRESTRICTED_AUTH, 0L);
    SET(CURLOPT_AUTOREFERER, 0L);
    SET(CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
    SET(CURLOPT_HTTP09_ALLOWED, 0L);
    // Content codings are decoded behind the callbacks: libcurl would buffer all output of a chunk while a transfer is
    // paused.
    SET(CURLOPT_HTTP_CONTENT_DECODING, 0L);
    SET(CURLOPT_PROXY, "");
    // libcurl would otherwise read the environment's value.
    SET(CURLOPT_NOPROXY, "*");
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_NOPROGRESS, 1L);
    SET(CURLOPT_SSL_VERIFYPEER, 1L);
    SET(CURLOPT_SSL_VERIFYHOST, 2L);
    SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    SET(CURLOPT_MAXLIFETIME_CONN, 3600L);
    // The 200 ms after which a second address is tried are avoided: of two timers within a millisecond libcurl 7.88
    // forgets the later one.
    SET(CURLOPT_EXPECT_100_TIMEOUT_MS, 250L);
#undef SET
    return result;
}

CURLSH *cc_session_store_create(void) {
    CURLSH *store = curl_share_init();
    if (store == NULL) return NULL;
    // Only sessions are shared, and one thread has all the handles, so no lock is needed.
    if (curl_share_setopt(store, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION) == CURLSHE_OK) return store;
    curl_share_cleanup(store);
    return NULL;
}

long cc_get_long(CURL *easy, CURLINFO info) {
    long value = 0;
    return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

int64_t cc_get_offset(CURL *easy, CURLINFO info) {
    curl_off_t value = 0;
    return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? (int64_t)value : 0;
}

const char *cc_get_string(CURL *easy, CURLINFO info) {
    char *value = NULL;
    return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : NULL;
}

void *cc_get_private(CURL *easy) {
    char *value = NULL;
    return curl_easy_getinfo(easy, CURLINFO_PRIVATE, &value) == CURLE_OK ? value : NULL;
}

CURLMcode cc_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

CURLMcode cc_multi_set_socket_callback(CURLM *multi, cc_socket_callback callback, void *context) {
    CURLMcode result = curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
    return result == CURLM_OK ? curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, callback) : result;
}

CURLMcode cc_multi_set_timer_callback(CURLM *multi, cc_timer_callback callback, void *context) {
    CURLMcode result = curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
    return result == CURLM_OK ? curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, callback) : result;
}

bool cc_multi_next_finished(CURLM *multi, CURL **easy, CURLcode *result) {
    int remaining = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &remaining)) != NULL) {
        if (message->msg != CURLMSG_DONE) continue;
        *easy = message->easy_handle;
        *result = message->data.result;
        return true;
    }
    return false;
}

size_t cc_write_pause(void) { return CURL_WRITEFUNC_PAUSE; }
size_t cc_read_pause(void) { return CURL_READFUNC_PAUSE; }
size_t cc_read_abort(void) { return CURL_READFUNC_ABORT; }

const curl_version_info_data *cc_version_info(void) { return curl_version_info(CURLVERSION_NOW); }
