"""How views are described: DRF imports this before its views, so it is a separate module."""

from typing import Any

from drf_spectacular.openapi import AutoSchema


class DescribedSchema(AutoSchema):
    """Describes the parameters that a view takes by its `query`."""

    def get_override_parameters(self) -> Any:
        shape = getattr(self.view, "query", {}).get(self.method)
        return super().get_override_parameters() if shape is None else [shape]
