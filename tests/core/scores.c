/* Prints the bits of the double the core reads from each line of standard input, or "refused". Without a locale each number is
 * compared with strtod, too: where the two differ, a line says so.
 *
 *     scores [LOCALE]
 */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/assay/core/score.h"

int main(int argc, char **argv) {
    static char line[1 << 20];
    if (argc > 1) {
        if (setlocale(LC_ALL, argv[1]) == NULL || strtod("1,5", NULL) != 1.5) return 77; /* not a locale with a comma */
    }
    while (fgets(line, sizeof line, stdin)) {
        size_t length = strcspn(line, "\n");
        char *exact = malloc(length ? length : 1); /* so that a sanitizer sees a byte read too far */
        double score;
        uint64_t bits;
        memcpy(exact, line, length);
        if (assay_parse_score(exact, length, &score)) {
            double expected = argc > 1 ? score : strtod(line, NULL);
            memcpy(&bits, &score, sizeof bits);
            if (memcmp(&expected, &score, sizeof score) != 0) printf("strtod reads %a, the core ", expected);
            printf("%016llx\n", (unsigned long long)bits);
        } else {
            puts("refused");
        }
        free(exact);
    }
    return 0;
}
