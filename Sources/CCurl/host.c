#include "host.h"

#include <locale.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
// Created once and never freed, because several threads may use it at a time.
static locale_t utf8_locale = (locale_t)0;

static void make_locale(void) { utf8_locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0); }

CURLUcode cc_url_ascii_host(CURLU *url, char **host) {
    if (pthread_once(&once, make_locale) != 0 || utf8_locale == (locale_t)0) return CURLUE_LACKS_IDN;
    // The locale applies to the calling thread only, and only until the name is converted.
    locale_t before = uselocale(utf8_locale);
    if (before == (locale_t)0) return CURLUE_LACKS_IDN;
    CURLUcode result = curl_url_get(url, CURLUPART_HOST, host, CURLU_PUNYCODE);
    if (uselocale(before) == (locale_t)0 && result == CURLUE_OK) {
        curl_free(*host);
        *host = NULL;
        return CURLUE_LACKS_IDN;
    }
    return result;
}
