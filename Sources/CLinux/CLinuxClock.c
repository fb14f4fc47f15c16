#define _GNU_SOURCE
#include "CLinux.h"

#include <sys/timex.h>

int cl_clock_is_kept(void) {
    struct timex facts = {0};
    if (adjtimex(&facts) < 0) return -1;
    return (facts.status & STA_UNSYNC) == 0;
}
