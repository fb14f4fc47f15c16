#define _GNU_SOURCE
#include "CLinux.h"

#include <sys/timex.h>
#include <time.h>

int cl_clock_is_kept(void) {
    struct timex facts = {0};
    if (adjtimex(&facts) < 0) return -1;
    return (facts.status & STA_UNSYNC) == 0;
}

bool cl_parse_http_date(const char *text, int64_t *seconds) {
    struct tm parts = {0};
    // The names of days and months are English: the program leaves the locale's dates alone.
    const char *end = strptime(text, "%a, %d %b %Y %H:%M:%S GMT", &parts);
    if (end == NULL || *end != 0) return false;
    *seconds = timegm(&parts);
    return true;
}
