"""The cases that both engines of Unreliable Wizard are compared on, and the rules that they need.

Every number of the data is moved off its default in one of them, and whatever the printed rules
make rare is made frequent in another.
"""

from __future__ import annotations

from sim.core.policy import available
from sim.titles.wizard import DATA, load
from sim.titles.wizard.schema import COLOURS, MOST_HEXES, PARTS, PLACES, TERRAINS
from sim.titles.wizard.words import enemy_ids, way_ids
from tests.titles.wizard.proof import Case
from tests.titles.wizard.proof_policies import CONTRARY, CURIOUS

__all__ = ["cases"]

ALL = tuple(available(DATA / "policies"))
WILD = tuple(f"wild_{number}" for number in range(1, 21))

_VALUES = load().values
_ENEMIES = enemy_ids(_VALUES)
_WAYS = tuple(f"cards.{companion}.ways.{way}" for companion, way in way_ids(_VALUES))
_LONG = _VALUES["maps"]["long"]["hexes"]

_OTHER_COLOUR = {"red": "yellow", "yellow": "red"}

#: Numbers of rules.toml off what they are, one by one.
ALONE = (
    *("start.lp=1", "start.lp=12", "start.lp=99", "lp.most=4", "lp.most=99"),
    *(f"start.cards={number}" for number in range(11)),
    *("lp.after_loss=1", "lp.after_loss=40"),
    *('casting.deck="chosen"', "casting.most_drawn=1", "casting.most_drawn=3"),
    *("casting.left=0", "casting.left=2", "casting.cost=0", "casting.cost=3", "casting.cost=20"),
    'journey.map="short"',
    *("limits.round_cap=1", "limits.round_cap=12", "limits.round_cap=200"),
    *("limits.battle_cap=1", "limits.battle_cap=3", "limits.battle_cap=200"),
    *(
        f'places.{place}.colour="{_OTHER_COLOUR[_VALUES["places"][place]["colour"]]}"'
        for place in PLACES
    ),
)

#: A strong wizard, which comes to see everything, and one that comes through everywhere.
STRONG = ("start.lp=99", "lp.most=99", "start.cards=6")
WANDERING = (
    *("lp.after_loss=99", "limits.round_cap=200", "casting.cost=0"),
    'maps.long.start="c10"',
)


def _each(things: tuple[str, ...], field: str, *values: object) -> tuple[str, ...]:
    """Return a field of each of several things as overrides, with values in turn."""
    return tuple(
        f"{thing}.{field}={values[place % len(values)]}" for place, thing in enumerate(things)
    )


def _enemies(field: str, *values: object) -> tuple[str, ...]:
    return _each(tuple(f"enemies.{name}" for name in _ENEMIES), field, *values)


def _lp_of_enemies(*numbers: int) -> tuple[str, ...]:
    """Return other LP for all enemies, with AP by LP that differ."""
    ap = [str([(3 * lp + number) % 8 for lp in range(number)]) for number in numbers]
    return (*_enemies("lp", *numbers), *_enemies("ap", *ap))


OTHER_SPELLS = """
[spells]
red_mend = { grimoire = 1, level = 1, parts = ["red_basic"], heal = 2, LABEL }
red_cold = { grimoire = 1, level = 1, parts = ["red_basic"], power = { blue = 3 }, LABEL }
leaf = { grimoire = 1, level = 1, parts = ["green_basic"], power = { red = 1, blue = 1 }, LABEL }
tide = { grimoire = 1, level = 1, parts = ["blue_basic"], heal = 3, LABEL }
rot = { grimoire = 2, level = 2, parts = ["red_basic", "blue_basic"], power.green = 9, LABEL }
""".replace("LABEL", 'label = { en = "Proof", ja = "証明" }')


def _equal_spells(parts: tuple[str, ...], ways: int) -> str:
    """Return spells for single parts so that no set beats another: numbers by part, what by spell.

    There are ``ways`` of them for each part; those left over heal nobody and harm nobody.
    """
    names = sorted(_VALUES["spells"])
    names += [f"more_{number}" for number in range(len(parts) * ways - len(names))]
    lines = []
    for place, name in enumerate(names):
        part, what = divmod(place, ways)
        number = 2**part if part < len(parts) else 0
        amounts = [number * (what == colour) for colour in range(4)]
        power = ", ".join(f"{name} = {n}" for name, n in zip(COLOURS, amounts, strict=False))
        lines.append(
            f"[spells.{name}]\ngrimoire = {1 + (what == 1)}\nlevel = 1\nheal = {amounts[3]}\n"
            f'parts = ["{parts[part % len(parts)]}"]\npower = {{ {power} }}\n'
            'label = { en = "Proof", ja = "証明" }\n'
        )
    return "".join(lines)


def _wide_map(last: str) -> str:
    """Return hexes beside the long map: sea, an island in it, and as many as there can be.

    ``last`` is what the last of all hexes says, which lies above the right edge.
    """
    at = {f"f{y:02}": (5, y) for y in range(1, 17, 2)} | {
        f"g{y:02}": (6, y) for y in range(0, 17, 2)
    }
    at["h03"] = (7, 3)
    lines = ["[maps.long.hexes]"]
    for name, (x, y) in at.items():
        terrain = "sea" if y < 9 and x < 7 else "plain"
        cost = f", cost = {y % 3}" if terrain == "plain" else ""
        lines.append(f'{name} = {{ at = [{x}, {y}], terrain = "{terrain}"{cost} }}')
    lines.append(f'z99 = {{ at = [5, 17], terrain = "forest", {last} }}')
    # Hexes that lie beside nothing fill the map up.
    lines += [
        f'y{number:02} = {{ at = [{40 + 2 * number}, 0], terrain = "town" }}'
        for number in range(MOST_HEXES - len(_LONG) - len(at) - 1)
    ]
    return "\n".join(lines)


#: Many ways up cross the sea, and not all for the same LP.
SAILING = (*STRONG, *_each(_WAYS, "sea", 1, 2, 3, 0, 2, 1))


def _of_enemies() -> list[Case]:
    return [
        Case("mending", _enemies("mend", 3, 1, 20), WILD),
        Case("blocks", (*_enemies("block.red", 0, 5), *_enemies("block.green", 4, 0, 2))),
        Case("blue blocks", _enemies("block.blue", 6, 0, 20)),
        Case("recovering", _enemies("recover", 0, 20, 7)),
        Case("weak enemies", (*_lp_of_enemies(1, 2, 3), *STRONG), (*ALL, *WILD)),
        Case("huge enemies", _lp_of_enemies(40), ("optimal_draws@0.1", "fight_everything")),
        # Those that skills ask for must be there.
        Case(
            "families",
            (*_enemies("family", '"psi"', '"horn"', '"ghost"', '""'), "start.cards=8"),
            WILD,
        ),
        Case("colours", ('enemies.zaza.colour="red"', 'enemies.robi.colour="yellow"')),
        Case(
            "another king",
            ('enemies.tera.colour="red"', 'enemies.dero.colour="king"', *STRONG),
            ("shortest_path", CONTRARY, *WILD),
        ),
        *(
            Case(f"terrains, {colour}", _each(_TERRAINS, f"block.{colour}", 2, 0, 1, 3))
            for colour in COLOURS
        ),
    ]


_TERRAINS = tuple(f"terrains.{terrain}" for terrain in TERRAINS)


def _of_companions() -> list[Case]:
    many = ("start.cards=8",)
    return [
        *(
            Case(f"powers, {colour}", (*many, *_each(_WAYS, f"power.{colour}", 3, 0, 6)), WILD)
            for colour in COLOURS
        ),
        Case("skills of the start", (*STRONG, *_each(_WAYS, "start_damage", 9, 3, 20, 1)), WILD),
        Case(
            "skills of the start, on all",
            (*STRONG, *_each(_WAYS, "start_damage", 6, 20), *_each(_WAYS, "family", '""')),
            (*ALL, *WILD),
        ),
        Case("skills of every turn", (*many, *_each(_WAYS, "turn_damage", 4, 0, 12)), WILD),
        Case("guards", (*many, *_each(_WAYS, "guard", 1, 2, 0, 20)), WILD),
        Case("recovery by companions", (*many, *_each(_WAYS, "recover", 0, 5, 20)), WILD),
        Case("guards that mend", (*STRONG, *_each(_WAYS, "guard", 9), *_enemies("mend", 2)), WILD),
        Case("poor in company", ("start.lp=3", "start.cards=9", "lp.after_loss=2"), (*ALL, *WILD)),
        Case("poor alone", ("start.lp=5", "casting.cost=2"), ALL, ("companion",)),
        Case("losing at the castle", ("start.cards=7", "lp.after_loss=2"), ("shortest_path",)),
    ]


def _of_spells() -> list[Case]:
    rich = ("start.cards=9",)
    chosen = ('casting.deck="chosen"', "casting.left=0")
    four, five = (*PARTS[:4],), (*PARTS[:5],)
    return [
        Case("other spells", rich, (*WILD, CONTRARY, "optimal_draws"), overlay=OTHER_SPELLS),
        Case("other spells, short of LP", ("start.lp=6",), WILD, overlay=OTHER_SPELLS),
        Case("equal spells", rich, ("random", *WILD[:4]), overlay=_equal_spells(four, 3)),
        Case("all parts of several", (*rich, *chosen), WILD, overlay=_equal_spells(five, 3)),
        Case(
            "spells moved",
            (
                "spells.red_1.power.red=5",
                "spells.green_1.power.green=0",
                "spells.blue_1.power.blue=9",
                'spells.blue_1.parts=["light_blue_extension"]',
                "spells.blue_2.grimoire=2",
                "spells.flame_3.grimoire=1",
                "spells.storm_3.heal=20",
                "spells.mending_4.heal=1",
                "spells.mending_4.level=2",
            ),
        ),
        Case("chosen decks", (*chosen, *rich), (*ALL, *WILD, CONTRARY), share=0.4),
        Case("chosen decks of five", (*chosen, *rich, "casting.deck_least=5"), WILD),
    ]


def _of_maps() -> list[Case]:
    return [
        Case("sea", (*STRONG, *_each(_WAYS, "sea", 3, 0, 20, 1)), (*ALL, *WILD)),
        Case(
            "wide map",
            (*SAILING, 'maps.long.start="e4"'),
            ("random", *WILD),
            overlay=_wide_map("recover = 9"),
            share=0.6,
        ),
        Case(
            "wide map, rest in its corner",
            (*SAILING, 'maps.long.start="f15"'),
            ("random",),
            overlay=_wide_map("recover = 9"),
        ),
        Case(
            "wide map, place in its corner",
            ('maps.long.hexes.e14.place=""', 'maps.long.start="f15"'),
            ("fight_everything", "random"),
            overlay=_wide_map('place = "right_1"'),
        ),
        Case(
            "map moved",
            (
                *('maps.long.hexes.c4.terrain="sea"', "maps.long.hexes.c4.cost=0"),
                *('maps.long.hexes.e2.terrain="town"', "maps.long.hexes.c6.cost=9"),
                *("maps.long.hexes.c8.recover=20", "maps.long.hexes.a16.at=[8, 8]"),
                *('maps.long.hexes.a2.place="right_3"', 'maps.long.hexes.e6.place="left_4"'),
                'maps.long.start="c2"',
            ),
        ),
        Case("short map", ('journey.map="short"', *STRONG), (*ALL, *WILD)),
    ]


def _barred() -> list[Case]:
    rich = ("start.cards=7", 'casting.deck="chosen"')
    return [
        Case("parts barred", rich, WILD, ("magic_part",)),
        Case("some cards barred", rich, WILD, ("grimoire_2", "hero", "red_extension", "stop")),
        Case("ways up", rich, WILD, ("hero_sword", "hero_banner", "porcupine_swim")),
        Case("directions barred", rich, WILD, ("go_up", "go_down", "go_up_left")),
        Case("all directions barred", rich, (CURIOUS,), ("direction",), share=0.05),
        Case("draws barred", rich, WILD, ("draw_1", "draw_3")),
        Case("all draws barred", rich, WILD, ("draws", "stop")),
        Case("spells barred", rich, WILD, ("red_mend", "leaf", "rot"), overlay=OTHER_SPELLS),
        Case("all spells barred", rich, WILD, ("spells",), overlay=OTHER_SPELLS),
    ]


def cases() -> list[Case]:
    """Return all cases; ``share`` tells how many games of each are played."""
    curious = ('casting.deck="chosen"', "start.cards=6")
    return [
        Case("all policies", pool=ALL, share=1),
        Case("slips", pool=tuple(f"{name}@0.2" for name in ALL), share=0.5),
        Case("random", pool=("random",), share=0.5),
        Case("wild policies", pool=WILD, share=1),
        Case("strong and wild", (*STRONG, "lp.after_loss=30"), (*WILD, CONTRARY), share=1),
        Case("curious", (*curious, "start.lp=60"), (CURIOUS,), overlay=OTHER_SPELLS, share=0.15),
        Case("contrary", pool=(CONTRARY,), share=0.4),
        Case("every place", STRONG, ("fight_everything", "optimal_draws", "fight_everything@0.3")),
        Case("every order", (*STRONG, *_lp_of_enemies(1, 2), *WANDERING), ("random",), share=6),
        *(Case(text, (text,)) for text in ALONE),
        *_of_enemies(),
        *_of_companions(),
        *_of_spells(),
        *_of_maps(),
        *_barred(),
    ]
