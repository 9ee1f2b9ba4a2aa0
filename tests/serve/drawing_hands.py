"""Hands that draw a network in the app."""


def place_of(page, name):
    box = page.locator(f"#drawing-net [data-name='{name}'] rect").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page, source, target):
    """From a variable to another, or to a place."""
    x, y = place_of(page, source)
    to = place_of(page, target) if isinstance(target, str) else target
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move((x + to[0]) / 2, (y + to[1]) / 2)
    page.mouse.move(*to)
    page.mouse.up()


def add(page, *names):
    for name in names:
        page.get_by_label("New variable").fill(name)
        page.keyboard.press("Enter")
