"""A world by its recipe: the same recipe gives the same world in every process."""

from dataclasses import dataclass

from benchmarks.engine.clean import clean_world
from benchmarks.engine.hostile import hostile_world
from benchmarks.engine.model import World


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a world is made from. `tls` has every well-kept host offer STARTTLS.

    `named` has hosts of Gmail and Exchange Online under their operators' names. The engine asks those operators for so
    many recipients a minute and no more (`profiles.py`), which would be all that a long list measures.
    """

    seed: int
    domains: int
    sets: int
    addresses: int
    hostile: bool = False
    tls: bool = False
    named: bool = True


def build(recipe: Recipe) -> World:
    """The world of a recipe."""
    size = {"domains": recipe.domains, "sets": recipe.sets, "addresses": recipe.addresses}
    return (
        hostile_world(recipe.seed, **size)
        if recipe.hostile
        else clean_world(recipe.seed, **size, tls=recipe.tls, named=recipe.named)
    )
