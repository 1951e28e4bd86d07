/* What the library shows to its loader, and the number that says both sides speak the same interface. */
#ifndef ASSAY_EXPORT_H
#define ASSAY_EXPORT_H

#define ASSAY_ABI 1

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

#endif
