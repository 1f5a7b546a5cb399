"""A linear model over named features, trained and kept as plain numbers (multinomial logistic regression).

Input: examples, each a set of names, and their classes. Output: a `SoftmaxModel`, which gives each
class a probability. Training minimises the loss with an L2 penalty by L-BFGS (Nocedal and Wright,
Numerical Optimization, 7.2), so the same examples give the same model.
"""

from collections.abc import Callable, Collection, Iterable, Sequence

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

_Floats = NDArray[np.float64]
_SCALE = 1_000
"""Weights are kept as whole thousandths."""
_LEAST_WEIGHT = 10
"""Smaller ones are not kept: one moves a probability by less than a hundredth."""
_MEMORY = 10
_MOST_STEPS = 500


class SoftmaxModel(Struct, frozen=True):
    """Weights of features for each class."""

    classes: tuple[str, ...]
    bias: tuple[int, ...]
    weights: dict[str, tuple[int, ...]]
    """Of a feature: the number of a class and its weight in thousandths, by turns."""

    def __post_init__(self) -> None:
        classes = range(len(self.classes))
        if (
            not classes
            or len(self.bias) != len(classes)
            or not all(
                len(row) % 2 == 0 and all(one in classes for one in row[::2])
                for row in self.weights.values()
            )
        ):
            raise ValueError("its weights do not fit its classes")

    def probabilities(self, features: Iterable[str]) -> dict[str, float]:
        """The probability of each class; a feature that was never seen counts nothing."""
        scores = list(self.bias)
        for one in features:
            row = self.weights.get(one, ())
            for place in range(0, len(row), 2):
                scores[row[place]] += row[place + 1]
        shifted = np.array(scores) / _SCALE
        powers = np.exp(shifted - shifted.max())
        return dict(zip(self.classes, (powers / powers.sum()).tolist(), strict=True))


def load_model(data: bytes) -> SoftmaxModel:
    """Read a model that was saved; `msgspec.DecodeError` if it is none."""
    return msgspec.json.decode(data, type=SoftmaxModel)


def train(
    examples: Sequence[Collection[str]],
    classes: Sequence[str],
    groups: Sequence[str],
    *,
    least_groups: int = 3,
    penalty: float = 1.0,
) -> SoftmaxModel:
    """Train on examples; features of fewer groups (hosts) are left out."""
    names = _common_names(examples, groups, least_groups)
    places = {name: place for place, name in enumerate(names)}
    kinds = sorted(set(classes))
    inputs = np.zeros((len(examples), len(names) + 1))
    inputs[:, -1] = 1.0
    for row, features in enumerate(examples):
        inputs[row, [places[one] for one in features if one in places]] = 1.0
    wanted = np.zeros((len(examples), len(kinds)))
    wanted[range(len(examples)), [kinds.index(one) for one in classes]] = 1.0
    weights = _minimise(
        lambda flat: _loss(flat, inputs, wanted, penalty), inputs.shape[1] * len(kinds)
    )
    rounded = np.rint(weights.reshape(inputs.shape[1], -1) * _SCALE).astype(int)
    rows = {
        name: tuple(one for pair in enumerate(row) if abs(pair[1]) >= _LEAST_WEIGHT for one in pair)
        for name, row in zip(names, rounded[:-1].tolist(), strict=True)
    }
    rows = {name: row for name, row in rows.items() if row}
    return SoftmaxModel(tuple(kinds), tuple(rounded[-1].tolist()), rows)


def _common_names(
    examples: Sequence[Collection[str]], groups: Sequence[str], least: int
) -> list[str]:
    seen: dict[str, set[str]] = {}
    for features, group in zip(examples, groups, strict=True):
        for one in features:
            seen.setdefault(one, set()).add(group)
    return sorted(name for name, where in seen.items() if len(where) >= least)


def _loss(flat: _Floats, inputs: _Floats, wanted: _Floats, penalty: float) -> tuple[float, _Floats]:
    """The negative logarithm of the likelihood with its penalty, and its gradient."""
    weights = flat.reshape(inputs.shape[1], -1)
    scores = inputs @ weights
    scores -= scores.max(axis=1, keepdims=True)
    powers = np.exp(scores)
    sums = powers.sum(axis=1, keepdims=True)
    held = weights.copy()
    held[-1] = 0.0  # the bias is free
    loss = float((np.log(sums[:, 0]) - (scores * wanted).sum(axis=1)).sum())
    gradient = inputs.T @ (powers / sums - wanted) + penalty * held
    return loss + penalty / 2 * float((held * held).sum()), gradient.ravel()


def _minimise(evaluate: Callable[[_Floats], tuple[float, _Floats]], size: int) -> _Floats:
    """Find the minimum of a convex function by L-BFGS."""
    place = np.zeros(size)
    value, gradient = evaluate(place)
    steps: list[tuple[_Floats, _Floats]] = []
    for _ in range(_MOST_STEPS):
        direction = -_two_loops(gradient, steps)
        slope, length = (
            float(gradient @ direction),
            1.0 if steps else 1.0 / max(1.0, float(np.abs(gradient).sum())),
        )
        while True:
            there, new_gradient = evaluate(place + length * direction)
            if there <= value + 1e-4 * length * slope or length < 1e-12:
                break
            length /= 2
        step, turn = length * direction, new_gradient - gradient
        if float(step @ turn) > 1e-12:
            steps = [*steps[1 - _MEMORY :], (step, turn)]
        place, done = place + step, abs(value - there) <= 1e-9 * max(1.0, abs(value))
        value, gradient = there, new_gradient
        if done or float(np.abs(gradient).max()) < 1e-5:
            break
    return place


def _two_loops(gradient: _Floats, steps: Sequence[tuple[_Floats, _Floats]]) -> _Floats:
    """The gradient times an estimate of the inverse Hessian matrix."""
    result, parts = gradient.copy(), []
    for step, turn in reversed(steps):
        part = float(step @ result) / float(step @ turn)
        parts.append(part)
        result -= part * turn
    if steps:
        step, turn = steps[-1]
        result *= float(step @ turn) / float(turn @ turn)
    for (step, turn), part in zip(steps, reversed(parts), strict=True):
        result += step * (part - float(turn @ result) / float(step @ turn))
    return result
