"""Whether values of a trace are written alike, for those who audit traces."""


def alike(one, other):
    """Whether two values are written alike: true is not 1."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return set(one) == set(other) and all(alike(one[name], other[name]) for name in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(alike, one, other))
    return bool(one == other)
