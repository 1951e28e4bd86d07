"""A small pool to judge by hand: texts of three topics and of some documents, the judges' files and the adjudication.

Places, people and findings are invented. Each text goes to a document of its grade.
"""

from __future__ import annotations

import csv
import io
import json

from assay.random import Stream, stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Pair = tuple[str, str]

SLIPS = {"ann": (0.15, 0), "bob": (0.4, -1), "machine": (0.4, 1)}
"""How often each judge errs, and in which direction: bob is strict, the machine lenient."""
HIGHEST = 2
MINUTE = "2026-03-02T09:{:02}:00+00:00"

TOPICS = {
    "1": (
        "restoring salt marshes",
        "What has been done to restore coastal salt marshes, and did it work?",
        "Relevant documents describe a restoration that was carried out, and its effect on plants, animals or floods. Plans and "
        "calls for money alone are related at best; marshes of fresh water are not relevant.",
    ),
    "2": (
        "noise of heat pumps",
        "How loud are heat pumps for the neighbours, and what makes them quieter?",
        "Relevant documents give a level that was measured, or a measure that was taken and how much it helped. Documents about the cost "
        "or the efficiency of heat pumps are not relevant.",
    ),
    "3": (
        "medieval shipbuilding tools",
        "Which tools did shipwrights use in northern Europe between 1000 and 1500?",
        "Relevant documents name tools and say what they were used for, from finds, pictures or traces on timber. Ships without a word "
        "about how they were made are not relevant.",
    ),
}
"""Title, description and narrative by topic."""

TEXTS: dict[str, tuple[tuple[int, str, str], ...]] = {
    "1": (
        (
            2,
            "Nine years after the dyke was opened",
            "When the old sea dyke at Harle Bay was opened in two places, the fields behind it were bare mud "
            "within a season. Nine years later the restored marsh carries glasswort on its lower half and sea "
            "aster above; 41 of the 50 plots that we visit each August look like the natural marsh next to "
            "them.\n\nThe creeks did not form by themselves. Where diggers had cut a first channel, the tide "
            "kept it open; where they had not, water stood for days, and little grew.",
        ),
        (
            2,
            "Marsh against storm: what the gauges say",
            "Two rows of pressure gauges stood in the restored salt marsh at Westerkoog through three winters. "
            "In the storm of January the waves lost 38 per cent of their height over the first forty metres of "
            "grass. The unrestored flat beside it took eleven per cent.\n\nThe marsh was replanted by hand in "
            "strips. Between the strips, sediment settled faster than anybody had hoped.",
        ),
        (
            1,
            "A plan for the estuary",
            "The county wants to give 120 hectares of pasture back to the sea. Its plan for restoring the salt "
            "marshes names three places for a breach and a budget of four million. Farmers have objected to the "
            "second place; a decision is expected in autumn.\n\nEarlier restorations in the region are mentioned "
            "in a footnote, without results.",
        ),
        (
            1,
            "Seeds that float",
            "Which seeds reach a new marsh? We caught seeds of eleven salt marsh plants in nets behind a "
            "breached dyke. Most came from less than a kilometre away. For those who restore marshes the lesson "
            "may be to sow the rest; we did not try it.",
        ),
        (
            0,
            "Reed beds for clean water",
            "The village of Ostra cleans its waste water in a restored marsh of reeds. The basins hold fresh "
            "water, and need cutting every second winter. After five years the nitrogen in the brook has halved.",
        ),
        (
            0,
            "Salt on the roads",
            "Winter services spread less salt than they did ten years ago: brine sticks where grains are blown "
            "away. Trees beside the road have recovered, and so has the budget.",
        ),
        (
            0,
            "Walking on the coast path",
            "From the car park the path follows the dyke for two miles, with a wide view over the marshes. Dogs "
            "must be kept on a lead until July. The tea room at the lock is open at weekends.",
        ),
        (
            0,
            "New chairman for the harbour board",
            "The harbour board has elected Mira Tolland as its chair. She promised to restore the crane on the "
            "east quay, and to publish the accounts.",
        ),
    ),
    "2": (
        (
            2,
            "What the neighbours hear at night",
            "We measured 62 air-source heat pumps at the nearest bedroom window, at night and in frost. The "
            "median was 34 decibels; seven were above 45. Five of these seven stood in a corner between two "
            "walls, which added three to six decibels to the noise.\n\nMoving the unit by two metres helped more "
            "than any cover.",
        ),
        (
            2,
            "Quieter by a slower fan",
            "Noise complaints about a row of heat pumps in Lind Street ended when the night mode was switched "
            "on. Fan and compressor run slower; the level at the fence fell from 44 to 37 decibels, and the "
            "houses were half a degree cooler in the morning.",
        ),
        (
            1,
            "Rules for outdoor units",
            "Since May, outdoor units of heat pumps must stand three metres from the boundary unless the maker "
            "states a sound power below 55 decibels. Installers call the rule clumsy, as it says nothing of "
            "walls that reflect noise.",
        ),
        (
            1,
            "Covers on sale",
            "Six makers sell hoods that are said to silence heat pumps. Their leaflets promise between five and "
            "fifteen decibels. None says how that was measured.",
        ),
        (
            0,
            "Heat pumps in old houses",
            "Can an old house be heated by a pump without new radiators? In 80 of 100 houses it could, at a flow "
            "temperature of 50 degrees. The yearly performance was 3.1; the bills fell by a third.",
        ),
        (
            0,
            "Noise from the ring road",
            "The new surface on the ring road is three decibels quieter than the old one. At the school, noise "
            "at the windows is still above the target, and a wall is being planned.",
        ),
        (
            0,
            "How a refrigerator works",
            "A pump presses a gas until it is hot, a grille lets the heat go, a valve lets the gas expand and "
            "cool. The same circle, turned round, heats houses.",
        ),
        (
            0,
            "Concert in the pump room",
            "The quartet plays in the old pump room on Friday. Doors open at seven. The hall holds ninety, and "
            "the heating has been repaired.",
        ),
    ),
    "3": (
        (
            2,
            "Traces of the axe",
            "On 214 planks of the Sund wreck, built about 1160, the marks of two tools can be told apart: a "
            "broad axe with a straight edge of some 26 centimetres, which dressed the faces, and a small one for "
            "the scarfs. No saw was used anywhere. Augers of three sizes bored the holes for the trenails.",
        ),
        (
            2,
            "A shipwright's chest",
            "The chest from the mud of the Vessa holds a T-shaped axe, two spoon augers, a moulding iron that "
            "cut the groove for caulking, and a clench hammer worn on one side. Coins date it to the years after "
            "1340. Such tools are seen in pictures, hardly ever in a find.",
        ),
        (
            1,
            "Riveted and caulked",
            "Medieval ships of the north were built shell first, their planks riveted one over the other with "
            "moss or wool between. The work needed few tools, it is often said; which ones, this survey leaves "
            "to others.",
        ),
        (
            1,
            "Saws come late",
            "Sawn planks appear in northern ships after 1400, at first in repairs. Whether shipwrights sawed "
            "them or bought them from a mill cannot be told from the timber in our sample.",
        ),
        (
            0,
            "The cog at sea",
            "How did a cog sail? The replica reached six knots with a fair wind, and lay no closer than 67 "
            "degrees to it. Her crew of nine found her dry and slow to turn.",
        ),
        (
            0,
            "Toll rolls of a Baltic port",
            "The rolls name 911 ships between 1368 and 1385, their masters and their cargoes: cloth, herring, "
            "salt, now and then a millstone. Two masters paid in furs.",
        ),
        (
            0,
            "Build your own shelf",
            "You need a saw, a plane, a hammer and an afternoon. Medieval joints look well and hold without "
            "glue; the drawing is on the next page.",
        ),
        (
            0,
            "A museum under repair",
            "The ship hall closes for two winters. Its roof has leaked since the medieval wreck was brought in, "
            "and the climate is hard on the timber. The shop stays open.",
        ),
    ),
}
"""Documents by topic: grade, title and text."""


def to_judge(seed: int, grades: Mapping[str, Mapping[str, int]]) -> dict[str, str]:
    """Return a pool of three topics with their texts, the texts of its documents, and judgments.

    grades   of the ranked track: each text goes to a document that has its grade
    """
    true_grades: dict[tuple[str, str], int] = {}
    texts: list[dict[str, str]] = []
    for topic, contents in TEXTS.items():
        by_grade = {grade: [d for d, judged_as in grades[topic].items() if judged_as == grade] for grade in range(3)}
        documents: dict[str, int] = {}
        for grade, title, text in contents:
            # A topic with too few documents of the highest grade uses some of the next one.
            document = (by_grade[grade] or by_grade[1] or by_grade[0]).pop(0)
            documents[document] = grade
            texts.append({"id": document, "title": title, "text": text})
        drawn = _shuffled(list(documents), stream(seed, "demo pool", int(topic)))
        true_grades.update({(topic, document): documents[document] for document in drawn})
    topics = [
        {"id": topic, "title": title, "description": description, "narrative": narrative}
        for topic, (title, description, narrative) in TOPICS.items()
    ]
    lines = {"topics.jsonl": topics, "docs.jsonl": sorted(texts, key=lambda entry: entry["id"])}
    files = {
        name: "".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in entries)
        for name, entries in lines.items()
    }
    pool = "".join(json.dumps({"topic": topic, "document": document}) + "\n" for topic, document in true_grades)
    return {"pool.jsonl": pool, **files, **judged(seed, true_grades)}


def _shuffled(documents: list[str], random: Stream) -> list[str]:
    for last in range(len(documents) - 1, 0, -1):
        other = random.below(last + 1)
        documents[last], documents[other] = documents[other], documents[last]
    return documents


def judged(seed: int, true_grades: Mapping[Pair, int]) -> dict[str, str]:
    """Return the files of the three judges and the adjudication.

    true_grades   the grade of each text by topic and document, in the order of the pool
    """
    grades = {name: _draw_grades(seed, name, true_grades) for name in SLIPS}
    return {
        "ann.judgments.jsonl": _ledger("ann", grades["ann"], second_thoughts=5),
        "bob.judgments.jsonl": _ledger("bob", grades["bob"], second_thoughts=11),
        "machine.qrels": "".join(f"{t} 0 {d} {grade}\n" for (t, d), grade in grades["machine"].items()),
        "decided.csv": _decided(true_grades, grades["ann"], grades["bob"]),
    }


def _draw_grades(seed: int, name: str, true_grades: Mapping[Pair, int]) -> dict[Pair, int]:
    error_rate, bias = SLIPS[name]
    grades: dict[Pair, int] = {}
    for place, (pair, grade) in enumerate(true_grades.items()):
        draw = stream(seed, f"demo pool {name}", place)
        slips = draw.bits() / 2**64 < error_rate
        grades[pair] = min(max(grade + slips * (bias or 1 - 2 * draw.below(2)), 0), HIGHEST)
    return grades


def _ledger(judge: str, grades: Mapping[Pair, int], second_thoughts: int) -> str:
    """Return the file that `assay judge` appends to, with one grade undone."""
    lines: list[dict[str, object]] = []
    for place, ((topic, document), grade) in enumerate(grades.items()):
        line: dict[str, object] = {"topic": topic, "document": document}
        time = MINUTE.format(place)
        if place == second_thoughts:
            lines.append({**line, "grade": HIGHEST - grade, "judge": judge, "time": time})
            lines.append({**line, "grade": None, "judge": judge, "time": time, "undo": True})
        lines.append({**line, "grade": grade, "judge": judge, "time": time})
    return "".join(json.dumps(entry) + "\n" for entry in lines)


def _decided(true_grades: Mapping[Pair, int], ann: Mapping[Pair, int], bob: Mapping[Pair, int]) -> str:
    """Return the file of `assay agree --adjudicate`, filled in."""
    rows: list[Sequence[object]] = [
        (*pair, ann[pair], bob[pair], grade, "carol", "")
        for pair, grade in true_grades.items()
        if ann[pair] != bob[pair]
    ]
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(
        [("topic", "document", "ann", "bob", "decision", "by", "note"), *rows]
    )
    return text.getvalue()
