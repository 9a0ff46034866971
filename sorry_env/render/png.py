"""SVG to PNG, by the package of the `render` extra."""


def png(drawing: str) -> bytes:
    """The PNG file of an SVG text, at the size that the text gives.

    Raises:
        ModuleNotFoundError: the `render` extra is not installed.
    """
    import resvg_py

    return resvg_py.svg_to_bytes(svg_string=drawing)
