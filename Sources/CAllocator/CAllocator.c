#include "CAllocator.h"

#ifdef NETDASH_USES_MIMALLOC

// mimalloc 2.0.9, unchanged, compiled into this one object so that it replaces malloc. Its own assertions are off: they help
// only a developer of mimalloc.
#define NDEBUG
#define MI_MALLOC_OVERRIDE 1
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-pragma" // it initializes its atomics as C11 did
#pragma clang diagnostic ignored "-Wstatic-in-inline" // an inline function calls static ones, all in this object
#include "mimalloc/src/static.c"
#pragma clang diagnostic pop

// Milliseconds; mimalloc's own default.
#define USUAL_DELAY 25

void ca_return_memory_at_once(void) { mi_option_set(mi_option_decommit_delay, 0); }

void ca_keep_memory_at_hand(void) {
    ca_return_memory();
    mi_option_set(mi_option_decommit_delay, USUAL_DELAY);
}

void ca_return_memory(void) { mi_collect(true); }

#else

void ca_return_memory_at_once(void) {}
void ca_keep_memory_at_hand(void) {}
void ca_return_memory(void) {}

#endif
