import time

import pytest

from app.documents.chunk import Chunk
from app.documents.profile import Profile
from app.linking.refers_to import MAX_LINKS, referred
from tests.unit.linking.chunks import passage

#: A contract with one passage under each of its numbers; the passage that refers comes last.
CONTRACT = {
    "1": passage("What words mean.", "Terms", "1 Definitions"),
    "2": passage("What is supplied.", "Terms", "2. Supply"),
    "3": passage("What it costs.", "Terms", "3 Fees"),
    "3.1": passage("When to pay.", "Terms", "3 Fees", "3.1 Due dates"),
    "3.2": passage("What is late.", "Terms", "3 Fees", "3.2 Late fees"),
    "4": passage("Who may see it.", "Terms", "Section 4: Secrets"),
    "5": passage("How it ends.", "Terms", "§ 5 Ende"),
    "6": passage("Who is liable.", "Terms", "Clause 6 - Liability"),
    "7": passage("Who insures.", "Terms", "7) Insurance"),
    "12": passage("Which law.", "Terms", "Article 12"),
    "34": passage("34.—(1) The tank must be emptied.", "Terms", "Tanks"),
    "part II": passage("For schools.", "Terms", "PART II"),
    "A": passage("The site.", "Terms", "Schedule A"),
    "B": passage("The prices.", "Terms", "Schedule B – Prices"),
    "C": passage("The people.", "Terms", "Anhang C"),
}
NAMES = list(CONTRACT)


def links(chunks: list[Chunk], profile: Profile = Profile.NORMATIVE) -> list[tuple[int, int]]:
    return referred(chunks, [profile] * len(chunks))


def targets(text: str, profile: Profile = Profile.NORMATIVE) -> list[str]:
    """What a passage without headings of the contract refers to."""
    found = links([*CONTRACT.values(), passage(f"Note. {text}", "Terms")], profile)
    return [NAMES[target] for source, target in found if source == len(NAMES)]


#: Everything under the heading of section 3.
ALL_OF_3 = ["3", "3.1", "3.2"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Fees are due under Section 3.1.", ["3.1"]),
        ("Fees are due under section 3.1, at noon.", ["3.1"]),
        ("(see Sec. 3.2)", ["3.2"]),
        ("As SECTION 4 says.", ["4"]),
        ("Section 3 sets the fees.", ALL_OF_3),
        ("Clauses 4 and 7 survive.", ["4", "7"]),
        ("clauses 4, 5 and 7 survive", ["4", "5", "7"]),
        ("clauses 4, 5, and 7", ["4", "5", "7"]),
        ("clauses 3.1, 3.2", ["3.1", "3.2"]),
        ("clause 4 or 7", ["4", "7"]),
        ("Section 2, 4 and 7", ["2", "4", "7"]),
        ("clause 4 and/or 7", ["4", "7"]),
        ("Sections 4 to 7", ["4", "5", "6", "7"]),
        ("Sections 4-7", ["4", "5", "6", "7"]),
        ("Sections 4–7", ["4", "5", "6", "7"]),
        ("Section 4 through 6", ["4", "5", "6"]),
        ("Section 4 to Section 6", ["4", "5", "6"]),
        ("Sections 3.1 to 3.2", ["3.1", "3.2"]),
        ("Sections 1, 4 to 6 and 12", ["1", "4", "5", "6", "12"]),
        ("Sections 4 to 900", ["4"]),
        ("Section 4 may be waived.", ["4"]),
        ("Sections 4 to 7 may be waived.", ["4", "5", "6", "7"]),
        ("Section 4 marks the site, section 5 decides.", ["4", "5"]),
        ("regulation 34(9)", ["34"]),
        ("regulations 34(9)(a) and (10), 5", ["5", "34"]),
        ("reg. 34", ["34"]),
        ("Article 12", ["12"]),
        ("Art. 12 applies.", ["12"]),
        ("paragraph 7", ["7"]),
        ("rule 7", ["7"]),
        ("rules 6 and 7", ["6", "7"]),
        ("Schedule B", ["B"]),
        ("Schedules A and B", ["A", "B"]),
        ("Schedules A to C", ["A", "B", "C"]),
        ("Annex C and Section 4", ["4", "C"]),
        ("Part II", ["part II"]),
        ("paragraph 2 of Article 12", ["12"]),
        ("Article 12, paragraph 2", ["12"]),
        ("Article 12 of this Agreement", ["12"]),
        ("Section 4\nand Section 5", ["4", "5"]),
        ("**Section 4** and [Section 5](#end)", ["4", "5"]),
        ("nach § 5 Abs. 2 Satz 1", ["5"]),
        ("§5", ["5"]),
        ("§§ 4 bis 7", ["4", "5", "6", "7"]),
        ("§§ 4, 5 und 7", ["4", "5", "7"]),
        ("§ 4 bis § 6", ["4", "5", "6"]),
        ("gemäß Artikel 12", ["12"]),
        ("Abschnitt 3.2", ["3.2"]),
        ("die Abschnitte 4 und 5", ["4", "5"]),
        ("Ziffern 4 bis 6", ["4", "5", "6"]),
        ("siehe Anlage B", ["B"]),
        ("l'article 12", ["12"]),
        ("les articles 4 et 5", ["4", "5"]),
        ("des articles 4 à 6", ["4", "5", "6"]),
        ("l’article 1er", ["1"]),
        ("la section 3.1", ["3.1"]),
        ("le paragraphe 7", ["7"]),
        ("l'annexe B", ["B"]),
        ("el artículo 12", ["12"]),
        ("los artículos 4 a 6", ["4", "5", "6"]),
        ("el artículo 5.º", ["5"]),
        ("la cláusula 7", ["7"]),
        ("las secciones 4 y 5", ["4", "5"]),
        ("el apartado 7", ["7"]),
        ("el anexo B", ["B"]),
    ],
)
def test_a_reference_leads_to_what_it_names(text: str, expected: list[str]) -> None:
    assert targets(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "This is part of the price.",
        "As a rule of thumb, four is enough.",
        "In an Article by J. Smith of 2019.",
        "It stands in section heading 4.",
        "Mind the paragraph breaks.",
        "Part 8 of the film is worse.",
        "Schedule a meeting for 3.",
        "In the section I wrote, nothing is said.",
        "Parts and labour are 4 euros.",
        "The price is 3.1 euros, or $4.",
        "Paid on 4 May 2026.",
        "An article 12 May readers liked.",
        "A part 12 Januar kam.",
        "L'article 12 juillet.",
        "El artículo 12 octubre.",
        "Article 12 Sept. 2026",
        "Use version 3.1 or v4.",
        "An article 12 pages long.",
        "For that part 7 % are due.",
        "For each step 5 minutes are enough.",
        "Section 3.7 does not exist.",
        "Section 13 does not exist.",
        "Part 4-1172 is out of stock.",
        "Part number 7 is out of stock.",
        "section 4 of the Companies Act 2006",
        "Section 4 of the 1933 Act",
        "Article 5 of Regulation (EU) 2016/679",
        "§ 5 BGB",
        "l'article 12 du Code civil",
        "el artículo 12 de la Ley 3/2004",
        "15 U.S.C. § 4",
        "Schedule 2 lists none.",
        "Step 4 of 7",
        "a sub-section 4",
        "Wirtschaftsteil 4",
        "The parties 4 times met.",
        "Section 4,000 votes",
        "clause4",
        "#4",
        "4, 5 and 7",
        "",
    ],
)
def test_what_only_looks_like_a_reference_leads_nowhere(text: str) -> None:
    assert targets(text) == []


def test_only_normative_and_procedural_passages_refer() -> None:
    found = {profile for profile in Profile if targets("Section 4", profile)}

    assert found == {Profile.NORMATIVE, Profile.PROCEDURAL}


def test_a_passage_does_not_refer_to_itself() -> None:
    chunks = [passage("Section 1 applies.", "1 Scope"), passage("Section 1 applies.", "2 Use")]

    assert links(chunks) == [(1, 0)]


def test_a_number_counts_within_the_headings_around_it() -> None:
    chunks = [
        passage("Open the lid.", "Filling", "Step 1"),
        passage("Repeat step 1.", "Filling", "Step 2"),
        passage("Close the valve.", "Draining", "Step 1"),
        passage("Repeat step 1.", "Draining", "Step 2"),
    ]

    assert links(chunks, Profile.PROCEDURAL) == [(1, 0), (3, 2)]


def test_a_step_is_an_item_of_its_procedure_before_it_is_a_chapter() -> None:
    chunks = [
        passage("1. Open the lid.\n2. Fill in oil.", "1 Filling"),
        passage("3. Wait.\n4. Repeat step 2.", "1 Filling"),
        passage("Call us.", "2 Service"),
    ]

    assert links(chunks, Profile.PROCEDURAL) == [(1, 0)]


def test_a_heading_is_preferred_to_a_line_and_its_own_word_to_a_bare_number() -> None:
    chunks = [
        passage("2. An item.", "Notes"),
        passage("Text.", "2 Supply"),
        passage("Text.", "Rule 2"),
        passage("Rule 2 and clause 2.", "Use"),
    ]

    # `clause 2` is the second part; `Rule 2` is called so.
    assert links(chunks) == [(3, 1), (3, 2)]
    assert links([*chunks[:3], passage("See rule 2.", "Use")]) == [(3, 2)]
    assert links([*chunks[:2], passage("See rule 2.", "Use")]) == [(2, 1)]
    assert links([chunks[0], passage("See rule 2.", "Use")]) == [(1, 0)]


@pytest.mark.parametrize(
    ("line", "leads"),
    [
        ("4.2 Late fees are due.", True),
        ("**4.2** Late fees are due.", True),
        ("## 4.2 Late fees", True),
        ("- 4.2. late fees", True),
        ("Section 4.2: Late fees", True),
        ("§ 4.2 – Late fees", True),
        ("Section 4.2", True),
        ("Section 4.2 says that fees are due.", False),
        ("4.2 percent are due.", False),
        ("Late fees, 4.2. are due.", False),
    ],
)
def test_a_number_that_opens_a_line_of_a_passage_is_found(line: str, *, leads: bool) -> None:
    chunks = [passage(f"Fees.\n{line}", "Fees"), passage("See Section 4.2.", "Use")]

    assert links(chunks) == ([(1, 0)] if leads else [])


@pytest.mark.parametrize(
    ("text", "leads"),
    [
        ("It is due. 4.2 Late fees. If it is late, more is due.", True),
        ("It is due. 4.2. Late fees. If it is late, more is due.", True),
        ('It is due." 4.2 "Late fees" means two percent.', True),
        ("It is due. 4.2 percent are charged.", False),
        ("It is due under Section 4.2 Late fees.", False),
        ("The index rose by 4.2 Points.", False),
        ("It is due. 4. Late fees 4.1 Ten days. 4.2 Twenty days.", True),
    ],
)
def test_a_number_that_stands_between_sentences_is_found(text: str, *, leads: bool) -> None:
    chunks = [passage(text, "Fees"), passage("See Section 4.2.", "Use")]

    assert ((1, 0) in links(chunks)) is leads


@pytest.mark.parametrize(
    ("text", "leads"),
    [
        ("It ends here. EXHIBIT B PRICES All prices are net.", True),
        ("EXHIBIT B PRICES All prices are net.", True),
        ("It ends here. Exhibit B lists the prices.", False),
        ("Exhibit B lists the prices.", False),
        ("It says so in EXHIBIT B and nowhere else.", False),
    ],
)
def test_a_title_in_capitals_needs_nothing_to_set_it_off(text: str, *, leads: bool) -> None:
    chunks = [passage(text, "Fees"), passage("See Exhibit B.", "Use")]

    assert ((1, 0) in links(chunks)) is leads


@pytest.mark.parametrize(
    ("text", "leads"),
    [
        ("It is due. 4. Late fees 4.1 Ten days pass first.", True),
        ("4. LATE FEES 4.1 Ten days pass first.", True),
        ("It is due. 4. Late fees rose by 4.1 percent.", False),
        ("It is due. 3. Late fees 4.1 Ten days pass first.", False),
    ],
)
def test_the_first_part_right_behind_a_title_is_found(text: str, *, leads: bool) -> None:
    chunks = [passage(text, "Fees"), passage("See Section 4.1.", "Use")]

    assert ((1, 0) in links(chunks)) is leads


def test_lines_are_preferred_to_what_stands_between_sentences() -> None:
    chunks = [
        passage("It is due. 4.2 Late fees. More is due.", "Form"),
        passage("4.2 Late fees\nMore is due.", "Fees"),
        passage("See Section 4.2.", "Use"),
    ]

    assert links(chunks) == [(2, 1)]


@pytest.mark.parametrize("title", ["A guide to fees", "I, Robot", "1984 and after", "B-side", "Fees 2", "Chapter of B"])
def test_a_heading_that_only_begins_like_a_number_has_none(title: str) -> None:
    chunks = [passage("Text.", title), passage("Part A, part I, part B, section 1984 and part 2.", "Use")]

    assert links(chunks) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see [[#Late fees]]", [0, 1]),
        ("see [[#late fees|what is late]]", [0, 1]),
        ("see #Late fees and the rest", [0, 1]),
        ("see #late-fees", [0, 1]),
        ("see #Late", []),
        ("see #Late fees abroad.", [3]),
        ("see #3.2 Late fees", [0, 1]),
        ("see [[Page#Late fees]]", []),
        ("see #Latefees", []),
        ("see # Late fees", []),
        ("see #3", []),
    ],
)
def test_a_wiki_reference_leads_to_the_longest_heading_that_it_starts_with(text: str, expected: list[int]) -> None:
    chunks = [
        passage("One.", "3.2 Late fees"),
        passage("Two.", "3.2 Late fees"),
        passage("Three.", "3.2 Late fees"),
        passage("Four.", "Late fees abroad"),
        passage(text, "Use"),
    ]

    assert links(chunks) == [(4, target) for target in expected]


def test_the_links_of_one_passage_are_bounded() -> None:
    chunks = [passage("Text.", f"{number} Heading") for number in range(1, 91)]

    assert len(links([*chunks, passage("Sections 1 to 90", "Use")])) == MAX_LINKS


def test_time_grows_with_the_text() -> None:
    def seconds(count: int) -> float:
        # Every passage stands under section 1, holds an item 1 and refers to both and to a range.
        body = "Section 1, step 1 and Sections 1 to 90. " * 5 + "\n1. An item.\n#General" + " and " * 50
        chunks = [passage(body, "1 General") for _ in range(count)]
        started = time.process_time()
        links(chunks)
        return time.process_time() - started

    small = min(seconds(50) for _ in range(3))

    assert min(seconds(400) for _ in range(2)) < 8 * small * 2.5


@pytest.mark.parametrize(
    "repeated",
    ["Section 1, ", "§", " and 1", " ", "Section 3 of The ", "A ", "#a ", "(1)", "-", ". 1. A ", "1. A", "; "],
)
def test_no_text_takes_long(repeated: str) -> None:
    def seconds(times: int) -> float:
        started = time.process_time()
        links([passage("Section 3" + repeated * times, "3 Fees")])
        return time.process_time() - started

    small = min(seconds(2_000) for _ in range(3))

    assert min(seconds(16_000) for _ in range(2)) < max(0.2, 8 * small * 2.5)
