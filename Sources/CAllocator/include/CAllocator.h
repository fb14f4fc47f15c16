// The allocator of the release build: mimalloc replaces malloc everywhere in the program. A debug build keeps the
// system's allocator, because sanitizers have their own; there these functions do nothing.
#ifndef NETDASH_CALLOCATOR_H
#define NETDASH_CALLOCATOR_H

// From now on, what is freed goes back to the system at once: slower, but nothing stays behind after a burst.
void ca_return_memory_at_once(void);

// From now on, what is freed stays at hand for some milliseconds, as it does from the start. What the calling thread and threads that
// have ended still keep goes back now.
void ca_keep_memory_at_hand(void);

// What the calling thread and threads that have ended keep goes back now.
void ca_return_memory(void);

#endif
