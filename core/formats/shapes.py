"""From whatever shape was stored to (n, d): n vectors of d numbers each.

An axis of length 1 beside (n, d) is dropped with a word; a stack of several (n, d)
matrices needs a choice; everything else has a sentence of its own.
"""

from __future__ import annotations

from core import limits
from core.errors import ChoiceNeeded, FormatError, LimitError
from core.formats.loaded import RealArray, Word
from core.prose import counted


def as_rows(array: RealArray, name: str, layer: int | None) -> tuple[RealArray, tuple[Word, ...]]:
    """Return `array` as an (n, d) view with n, d >= 1, and the words about how.

    Raises
    ------
    ChoiceNeeded
        (L, n, d) and no layer chosen.
    FormatError
        Not (n, d) in any reading, or empty.
    """
    if array.ndim < 2 or array.size == 0:
        raise no_matrix(array.shape, name)
    if array.ndim == 2:
        if layer is not None:
            raise FormatError(
                f"{name} is one (n, d) array of shape {array.shape}; it has no layers to choose from",
                remedy="Leave the layer out for this file.",
            )
        return array, ()
    shape, array = array.shape, _without_single_axes(array)
    if array.ndim == 2:
        if layer not in (None, 0):
            raise FormatError(
                f"{name} has shape {shape}, one (n, d) array; it has no layer {layer}",
                remedy="Leave the layer out for this file.",
            )
        return array, (_dropped(shape, array.shape),)
    if array.ndim > 3:
        raise FormatError(
            f"{name} has {len(shape)} axes, shape {shape}; (n, d) is needed",
            remedy="Pick or average what belongs to one row, then save: np.save('new.npy', x.reshape(n, d)).",
        )
    words = () if shape == array.shape else (_dropped(shape, array.shape),)
    return array[_chosen_layer(array.shape, name, layer)], words


def matrix_shape(shape: tuple[int, ...]) -> tuple[int, int] | None:
    """The (n, d) that `as_rows` makes of a declared shape, of one layer of a stack; `None` where it makes none."""
    if len(shape) < 2 or 0 in shape:
        return None
    kept = _without_single_sizes(shape)
    return (kept[-2], kept[-1]) if len(kept) <= 3 else None


def declared_matrix(shape: tuple[int, ...], layer: int | None) -> tuple[int, int] | None:
    """The (n, d) that `as_rows` returns of a declared shape; `None` where it would ask or refuse."""
    is_stack = len(_without_single_sizes(shape)) == 3
    if is_stack and (layer is None or not 0 <= layer < _without_single_sizes(shape)[0]):
        return None
    return matrix_shape(shape)


def refuse_outsized(shape: tuple[int, ...], itemsize: int, name: str) -> None:
    """Refuse, from the declared shape alone, rows too wide to hold or too many narrow ones.

    Parameters
    ----------
    shape : tuple of int
        As stored; of a shape that is no matrix nothing is said.
    itemsize : int
        Bytes of one number.
    name : str
        For the sentence.

    Raises
    ------
    LimitError
        More than `MAX_COLUMNS` columns, or so many narrow rows that what is kept for each would be
        much more than the rows themselves.
    """
    found = matrix_shape(shape)
    if found is None:
        return
    n, dim = found
    if dim > limits.MAX_COLUMNS:
        raise LimitError(
            f"{name} has {counted(n, 'row')} of {dim:,} columns; at most {limits.MAX_COLUMNS:,} columns are read",
            remedy="It looks transposed or flattened: give each vector a row of its own, "
            "np.save('new.npy', x.T) or np.save('new.npy', x.reshape(n, d)).",
        )
    most = limits.MAX_NARROW_ROWS
    if n <= most or dim * itemsize >= limits.NARROW_ROW_BYTES:
        return
    raise LimitError(
        f"{name} has {n:,} rows of {counted(dim, 'column')}; of rows this narrow at most {most:,} are read",
        remedy=f"Check the shape; if it is right, save a part of the rows: np.save('part.npy', x[:{most}]).",
    )


def as_layers(array: RealArray, name: str) -> tuple[RealArray, ...]:
    """The (n, d) layers of an (L, n, d) stack, as views.

    Raises
    ------
    FormatError
        Not three axes, fewer than two layers, or more than `MAX_LAYERS`.
    """
    if array.size == 0 or array.ndim < 2:
        raise no_matrix(array.shape, name)
    if array.ndim != 3:
        raise FormatError(
            f"{name} has shape {array.shape}; a stack of layers has three axes, (layers, items, columns)",
            remedy="Put the layers of the same items together: np.save('new.npy', np.stack(layers)).",
        )
    layers = array.shape[0]
    if not 2 <= layers <= limits.MAX_LAYERS:
        raise FormatError(
            f"{name} has shape {array.shape}: {counted(layers, 'layer')}, and 2 to {limits.MAX_LAYERS} can be compared",
            remedy="Axis 0 must count layers; if an axis counts tokens, pool it: np.save('new.npy', x.mean(axis=1)).",
        )
    return tuple(array)


def _without_single_axes(array: RealArray) -> RealArray:
    """Drop axes of length 1, the inner ones first, down to two axes at least."""
    return array.reshape(_without_single_sizes(array.shape))


def _without_single_sizes(shape: tuple[int, ...]) -> tuple[int, ...]:
    while len(shape) > 2:
        order = [*range(1, len(shape) - 1), 0, len(shape) - 1]
        single = next((axis for axis in order if shape[axis] == 1), None)
        if single is None:
            break
        shape = (*shape[:single], *shape[single + 1 :])
    return shape


def _chosen_layer(shape: tuple[int, ...], name: str, layer: int | None) -> int:
    layers = shape[0]
    if layer is not None and 0 <= layer < layers:
        return layer
    if layers > limits.MAX_LAYERS:
        raise FormatError(
            f"{name} has shape {shape}: three axes, and {layers:,} are too many for layers of one model",
            remedy="If the middle axis counts tokens, pool it: np.save('new.npy', x.mean(axis=1)).",
        )
    found = f"{name} has shape {shape}: {layers} matrices of shape ({shape[1]}, {shape[2]})"
    if layer is not None:
        found = f"{name} has no layer {layer}: its shape is {shape}"
    options = tuple(str(index) for index in range(layers))
    which = ", ".join(options) if layers <= limits.MAX_LISTED else f"0 to {layers - 1}"
    items_first = "" if layers <= shape[1] else f"; if axis 0 counts the items, those are {layers} items, not layers"
    raise ChoiceNeeded(
        f"{found}. Which layer of axis 0? {which}{items_first}",
        choice="layer",
        options=options,
        remedy="If the middle axis counts layers, take one: np.save('new.npy', x[:, 0]); "
        "if it counts tokens, pool it: np.save('new.npy', x.mean(axis=1)).",
    )


def _dropped(before: tuple[int, ...], after: tuple[int, ...]) -> Word:
    return Word(
        code="axis_dropped",
        text=f"The stored shape is {before}; the axis of length 1 was dropped, leaving {after}.",
    )


def no_matrix(shape: tuple[int, ...], name: str) -> FormatError:
    """The refusal of an array that is empty or has fewer than two axes."""
    if shape == ():
        return FormatError(
            f"{name} holds a single number (0-d, shape ()); (n, d) is needed",
            remedy="Save the array of vectors, one row each.",
        )
    if 0 in shape:
        empty = "no rows" if shape[0] == 0 else "no columns" if len(shape) == 2 else "no numbers"
        return FormatError(
            f"{name} has {empty}: its shape is {shape}",
            remedy="Look at the step before: it had nothing to write.",
        )
    return FormatError(
        f"{name} is 1-d: {shape} is one vector; (n, d) is needed, one row a vector",
        remedy="Put the vectors together: np.save('new.npy', np.stack(vectors)).",
    )
