#include "export.h"

EXPORT int assay_abi(void) { return ASSAY_ABI; }
