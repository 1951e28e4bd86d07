"""Scores are parsed to the nearest double, as Python's `float` and C's `strtod` do, in every locale."""

from __future__ import annotations

import os
import random
import shutil
import struct
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest

pytestmark = pytest.mark.slow

EDGES = [
    "0", "-0", "+.5", "5.", "1e+5", "1E-5", "inf", "-Infinity", "0e99999999999999999999", "1e99999999999999999999",
    "1e999999999", "-1e-999999999", "0e999999999", "12345678901234567890123e999999999", "12345678901234567890123e-999999999",
    "1e-99999999999999999999", "1.7976931348623157e308", "1.7976931348623158e308", "1.7976931348623159e308", "4.9e-324",
    "2.4703282292062327e-324", "2.4703282292062328e-324", "2.2250738585072011e-308", "2.2250738585072014e-308",
    "9007199254740993", "9007199254740993.0000000000000000000000000001", "18446744073709551615", "18446744073709551616",
    "0." + "0" * 5000 + "1e5001", "1" + "0" * 5000 + "e-5000", "0.12345678901234567890123", "9" * 900, "9" * 310,
]  # fmt: skip
# Numbers close to the middle of two doubles (V. Paxson, "A program for testing IEEE decimal-binary conversion", 1991).
PAXSON = [
    "5e125", "69e267", "999e-26", "7861e-34", "75569383e-82", "928609e-261", "9210917080e-123", "84863171e114", "653777767e273",
    "5232604057e-298", "27235667517e-109", "653532977297e-123", "3142213164987e-294", "46202199371337e-72", "231010996856685e-73",
    "9324754620109615e212", "78459735791271921e49", "272104041512242479e200", "6802601037806061975e198", "20505426358836677347e-221",
    "836168422905420598437e-234", "4891559871276714924261e222", "9e-265", "85e-37", "623e100", "3571e263", "81661e153", "920657e-23",
    "4603285e-24", "87575437e-309", "245540327e122", "6138508175e120", "83356057653e193", "619534293513e124", "2335141086879e218",
    "36167929443327e-159", "609610927149051e-255", "3743626360493413e-165", "94080055902682397e-242", "899810892172646163e283",
    "7120190517612959703e120", "25188282901709339043e-252", "308984926168550152811e-52", "6372891218502368041059e64",
]  # fmt: skip
# PHP and Java looped on the first two (CVE-2010-4645, CVE-2010-4476); GCC or Visual C++ rounded the others wrongly (R. Regan,
# exploringbinary.com).
KNOWN_BUGS = [
    "2.2250738585072011e-308", "2.2250738585072012e-308", "0.500000000000000166533453693773481063544750213623046875",
    "9214843084008499", "30078505129381147446200", "1777820000000000000001",
]  # fmt: skip
REFUSED = [
    "",
    "+",
    ".",
    "-.",
    "e5",
    "1e",
    "1e+",
    "1e5.",
    "1.2.3",
    "1,5",
    "nan",
    "0x1p3",
    "1_0",
    "infinit",
    " 1",
    "1 ",
    "١",
]


def double(bits: int) -> float:
    return struct.unpack("<d", struct.pack("<Q", bits))[0]


def bits(value: float) -> str:
    return struct.pack(">d", value).hex()


def random_texts(seed: int, count: int) -> list[str]:
    """Doubles printed with too many or too few digits, long mantissas, huge and tiny exponents."""
    draw = random.Random(seed)
    digits = "0123456789"
    texts: list[str] = []
    while len(texts) < count:
        value = double(draw.getrandbits(63))
        if value - value == 0:
            texts += [repr(value), f"{value:.15e}", f"{value:.17e}", f"{value:.18e}", f"{value:.25e}", f"-{value:.40E}"]
        texts += [
            "0." + "".join(draw.choices(digits, k=draw.randint(1, 25))),
            f"{draw.randint(0, 10**4)}.{''.join(draw.choices(digits, k=draw.randint(1, 40)))}",
            f"{draw.getrandbits(draw.randint(1, 100))}e{draw.randint(-40, 40)}",
            f"{draw.getrandbits(64)}e{draw.randint(-350, 310)}",
            f"{'0' * draw.randint(0, 30)}.{'0' * draw.randint(0, 400)}{draw.getrandbits(200)}E+{draw.randint(0, 700)}",
        ]
    return texts


def halfway_texts(seed: int, count: int) -> list[str]:
    """The exact middle of two doubles, and what lies next to it, up to a thousand digits away."""
    draw = random.Random(seed)
    texts: list[str] = []
    while len(texts) < count:
        number = draw.getrandbits(63) if draw.random() < 0.6 else draw.getrandbits(draw.randint(1, 53))
        low, high = double(number), double(number + 1)
        if high - high != 0:
            continue
        middle = (Fraction(low) + Fraction(high)) / 2
        power = middle.denominator.bit_length() - 1
        whole, zeros = str(middle.numerator * 5**power), draw.randint(0, 900)
        at = draw.randint(0, len(whole))
        texts += [
            f"{whole}e-{power}",
            f"{whole[:at]}.{whole[at:]}e{len(whole) - at - power}",
            f"{whole}{'0' * zeros}1e-{power + zeros + 1}",
            f"{int(whole) - 1}{'9' * 20}e-{power + 20}",
        ]
    return texts


@pytest.fixture(scope="module")
def program(build_program):
    return build_program("scores.c", ["score.c"])


def read(program, texts: list[str], *arguments: str, **environment: str) -> list[str]:
    result = subprocess.run(
        [program, *arguments],
        input="\n".join(texts) + "\n",
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=60,  # a huge exponent is decided at once, never by a loop over it
        env={**os.environ, **environment},
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.splitlines()


def wrong(program, texts: list[str], *arguments: str, **environment: str) -> list[tuple[str, str]]:
    found = read(program, texts, *arguments, **environment)
    return [(text, score) for text, score in zip(texts, found, strict=True) if score != bits(float(text))]


def test_edges(program) -> None:
    assert wrong(program, EDGES) == []
    assert read(program, REFUSED) == ["refused"] * len(REFUSED)


def test_random_numbers(program) -> None:
    assert wrong(program, random_texts(1, 200_000)) == []


def test_hard_numbers_of_the_literature(program) -> None:
    assert wrong(program, [*PAXSON, *KNOWN_BUGS]) == []


@pytest.mark.parametrize("seed", range(10))
def test_ten_million_random_doubles_survive_repr(program, seed) -> None:
    """A million for each seed: parsed from what `repr` writes, which is what assay writes, and compared with strtod."""
    random_bits = np.random.default_rng(seed).integers(0, 1 << 64, 1_000_000, dtype=np.uint64)
    values = random_bits.view(np.float64)
    values = values[np.isfinite(values)]
    parsed = np.frombuffer(bytes.fromhex("".join(read(program, [*map(repr, values.tolist())]))), dtype=">u8")
    assert np.array_equal(parsed, values.view(np.uint64))


def test_the_middle_between_two_doubles(program) -> None:
    assert wrong(program, halfway_texts(2, 20_000)) == []


def test_long_arithmetic_alone(build_program) -> None:
    """What a machine without 128-bit integers does, and what decides wherever the quick ways cannot."""
    program = build_program("scores.c", ["score.c"], "-U__SIZEOF_INT128__")
    assert wrong(program, [*EDGES, *random_texts(3, 50_000), *halfway_texts(4, 5_000)]) == []


@pytest.fixture(scope="module")
def comma(tmp_path_factory) -> dict[str, str]:
    """An environment in which the locale de_DE.UTF-8, whose numbers have a comma, exists."""
    folder = tmp_path_factory.mktemp("locales")
    localedef = shutil.which("localedef")
    if localedef is None:
        pytest.skip("no localedef here to make a locale with")
    command = [localedef, "-i", "de_DE", "-f", "UTF-8", str(folder / "de_DE.UTF-8")]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    environment = {"LOCPATH": str(folder)}
    code = "import locale; locale.setlocale(locale.LC_ALL, 'de_DE.UTF-8'); print(locale.localeconv()['decimal_point'])"
    check = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    if check.stdout.strip() != ",":
        pytest.skip(f"no locale with a comma could be made: {result.stderr.strip() or check.stderr.strip()}")
    return environment


def test_numbers_under_a_locale_with_a_comma(program, comma) -> None:
    texts = [*EDGES, *random_texts(5, 20_000), *halfway_texts(6, 2_000)]
    assert wrong(program, texts, "de_DE.UTF-8", **comma) == []


def test_a_run_with_long_scores_under_a_locale_with_a_comma(comma) -> None:
    """A score of 23 digits was "not a number" under de_DE."""
    code = (
        "import locale; locale.setlocale(locale.LC_ALL, 'de_DE.UTF-8')\n"
        "from assay.core import Gold, Ranker\n"
        "ranker = Ranker(Gold.read(b'1 0 a 1\\n1 0 b 0\\n'))\n"
        "ranker.feed(b'1 Q0 a 1 0.12345678901234567890123 t\\n1 Q0 b 2 0.11 t\\n')\n"
        "print(ranker.finish().relevant(0))"
    )
    result = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **comma},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.stdout.strip() == "([1], [1], [0])", result.stderr
