// Nothing to call: linking CUnicodeTables.c is all there is to it.
#ifndef NETDASH_CUNICODETABLES_H
#define NETDASH_CUNICODETABLES_H
#endif
