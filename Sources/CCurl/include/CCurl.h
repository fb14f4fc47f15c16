#ifndef NETDASH_CCURL_H
#define NETDASH_CCURL_H
#include <curl/curl.h>

#include "digest.h"
#endif
