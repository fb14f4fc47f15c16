// Host names beyond ASCII.
#ifndef NETDASH_CCURL_HOST_H
#define NETDASH_CCURL_HOST_H

#include <curl/curl.h>

// The host of a URL in ASCII form (IDNA 2008), to be passed to curl_free. libcurl reads a name's bytes in the process's
// locale; here they are UTF-8 in every locale. CURLUE_LACKS_IDN when the system has no such locale.
CURLUcode cc_url_ascii_host(CURLU *url, char **host);

#endif
