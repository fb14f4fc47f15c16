// Host names beyond ASCII.
#ifndef NETDASH_CCURL_HOST_H
#define NETDASH_CCURL_HOST_H

#include <curl/curl.h>

// The host of a URL in the ASCII form of its name (IDNA 2008), for curl_free. libcurl reads a name's bytes as the locale
// of the process says; here they are UTF-8 in every locale. CURLUE_LACKS_IDN when the system has no such locale.
CURLUcode cc_url_ascii_host(CURLU *url, char **host);

#endif
