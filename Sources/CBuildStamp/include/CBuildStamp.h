// The commit and the date of a finished program, which script/stamp writes into it: compiling them in would compile and
// link again after each commit.
#ifndef NETDASH_CBUILDSTAMP_H
#define NETDASH_CBUILDSTAMP_H

enum { CB_STAMP_SIZE = 64 };

// Copies the stamp, which ends with a zero byte; `text` has room for CB_STAMP_SIZE bytes.
void cb_copy_stamp(char *text);

#endif
