"""What all PDF documents share: `pdf_fonts` (which font writes what) and `paper` (colours, styles, foot)."""

__all__ = ["paper", "pdf_fonts"]
