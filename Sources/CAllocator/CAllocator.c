#include "CAllocator.h"

#ifdef NETDASH_USES_MIMALLOC

#include <mimalloc.h>

// Milliseconds; mimalloc's own default.
#define USUAL_DELAY 25

void ca_return_memory_at_once(void) { mi_option_set(mi_option_decommit_delay, 0); }

void ca_keep_memory_at_hand(void) {
    mi_collect(true);
    mi_option_set(mi_option_decommit_delay, USUAL_DELAY);
}

#else

void ca_return_memory_at_once(void) {}
void ca_keep_memory_at_hand(void) {}

#endif
