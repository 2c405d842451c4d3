"""A world by its recipe: the same recipe gives the same world in every process."""

from dataclasses import dataclass

from benchmarks.engine.clean import clean_world
from benchmarks.engine.hostile import hostile_world
from benchmarks.engine.model import World


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a world is made from. `tls` has every well-kept host offer STARTTLS."""

    seed: int
    domains: int
    sets: int
    addresses: int
    hostile: bool = False
    tls: bool = False


def build(recipe: Recipe) -> World:
    """The world of a recipe."""
    size = {"domains": recipe.domains, "sets": recipe.sets, "addresses": recipe.addresses}
    return hostile_world(recipe.seed, **size) if recipe.hostile else clean_world(recipe.seed, **size, tls=recipe.tls)
