"""What `train` is given is read as it is meant, or refused by an error of ours that names the argument."""

from typing import Any

import numpy as np
import pytest

from implicitbias.errors import DataError
from implicitbias.training import Groups, LayeredNetwork, TwoLayer, train
from implicitbias.training.losses import labels_for

ONE = TwoLayer([1.0], [-5.0], [1.0])


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"weight_decay": {"w": 0.1}}, "weight_decay must be one number, or one per group as Groups"),
        ({"weight_decay": (0.1, 0.2, 0.3, 0.4)}, "weight_decay must be one number, or one per group"),
        ({"weight_decay": "a"}, "weight_decay must be one number"),
        ({"weight_decay": Groups(w="a")}, "weight_decay must be a number: got 'a'"),
        ({"weight_decay": np.inf}, "must not be negative, and finite"),
        ({"weight_decay": float("nan")}, "weight_decay must be a number: got nan"),
        ({"step": "a"}, "step must be a number: got 'a'"),
        ({"tolerance": None, "step": [0.1]}, "step must be a number"),
        ({"steps": 1.5}, "steps must be an integer: got 1.5"),
        ({"steps": -1}, "steps must not be negative: got -1"),
        ({"stop_loss": "low"}, "stop_loss must be a number"),
        ({"patience": 2.5}, "patience must be an integer"),
        ({"improvement": float("nan")}, "improvement must be a number"),
        ({"seed": "a"}, "seed must be an integer"),
        ({"threads": 0}, "threads must be at least 1: got 0"),
        ({"record": 0}, "record must be at least 1"),
        ({"record": [0.5]}, "record must name steps: got 0.5"),
        ({"steps": None, "times": "soon"}, "times must be numbers"),
        ({"steps": None, "times": (np.nan,)}, "times must increase"),
        ({"loss": 3}, "loss must be one of"),
        ({"device": 3}, "device must be 'cpu' or 'cuda': got 3"),
        ({"device": "mps"}, "device must be 'cpu' or 'cuda': got 'mps'"),
        ({"device": "meta"}, "device must be 'cpu' or 'cuda': got 'meta'"),
        ({"device": "meta", "engine": "dense"}, "device must be 'cpu' or 'cuda': got 'meta'"),
    ],
)
def test_what_cannot_be_read_is_refused_by_name(options: dict[str, Any], says: str) -> None:
    with pytest.raises(DataError, match=says):
        train(ONE, [0.0], [0.0], **{"step": 0.1, "steps": 10, **options})


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (([1.0], [0.0], [0.0]), "network must be a TwoLayer"),
        ((ONE, ["a"], [0.0]), "inputs must be numbers"),
        ((ONE, [0.0], [None, {}]), "labels must be numbers"),
    ],
)
def test_networks_and_data_that_are_none_are_refused(given: tuple[Any, Any, Any], says: str) -> None:
    with pytest.raises(DataError, match=says):
        train(*given, step=0.1, steps=1)
    with pytest.raises(DataError, match="b must be numbers"):
        TwoLayer([1.0], ["a"], [1.0])


@pytest.mark.parametrize("engine", ["dense", "prefix_sum"])
def test_weight_decay_goes_on_where_the_data_are_fitted(engine: str) -> None:
    done = train(ONE, [0.0], [0.0], engine=engine, step=0.1, steps=100, weight_decay=0.1)
    assert done.reason == "steps"
    assert np.allclose([done.final.w, done.final.b], [[0.99**100], [-5 * 0.99**100]], rtol=1e-12)
    fitted = train(ONE, [0.0], [0.0], engine=engine, step=0.1, steps=100)
    assert (fitted.reason, int(fitted.stop_steps[0])) == ("loss", 0), "the loss alone moves nothing at zero loss"
    asked = train(ONE, [0.0], [0.0], engine=engine, step=0.1, steps=100, weight_decay=0.1, stop_loss=0.0)
    assert (asked.reason, int(asked.stop_steps[0])) == ("loss", 0), "as was asked for"
    only_c = {"weight_decay": Groups(0.0, 0.0, 0.0, 0.1), "trained": ("w",), "step": 0.1, "steps": 9}
    assert train(ONE, [0.0], [0.0], engine=engine, **only_c).reason == "loss", "nothing that decays learns"


@pytest.mark.parametrize("engine", ["dense", "prefix_sum"])
def test_label_noise_goes_on_where_the_data_are_fitted(engine: str) -> None:
    start = TwoLayer([1.0], [0.0], [1.0])
    noise = lambda step, generator: [1.0 + generator.normal()]  # noqa: E731
    done = train(start, [1.0], [1.0], engine=engine, step=0.1, steps=20, label_noise=noise)
    assert int(done.stop_steps[0]) == 20
    assert float(done.final.w[0]) != 1.0


def test_a_layered_network_decays_by_groups_as_its_two_layers_do() -> None:
    rng = np.random.default_rng(0)
    w, b, v = rng.normal(size=(3, 5))
    options: dict[str, Any] = {"step": 0.03, "steps": 40, "weight_decay": Groups(0.1, 0.2, 0.3, 0.4)}
    x, y = np.array([-1.0, 0.3, 1.0]), np.array([1.0, -1.0, 0.5])
    flat = train(TwoLayer(w, b, v, 0.7), x, y, engine="dense", **options).final
    deep = LayeredNetwork((w[:, None], v[None]), (b, [0.7]))
    for learning in (("w", "b", "v", "c"), ("v", "c"), ("b",)):
        flat = train(TwoLayer(w, b, v, 0.7), x, y, engine="dense", trained=learning, **options).final
        done = train(deep, x[:, None], y[:, None], trained=learning, **options).final
        assert isinstance(flat, TwoLayer)
        assert isinstance(done, LayeredNetwork)
        for one, other in (
            (flat.w, done.weights[0]), (flat.v, done.weights[1]), (flat.b, done.biases[0]), (flat.c, done.biases[1])
        ):  # fmt: skip
            np.testing.assert_allclose(np.ravel(one), np.ravel(other), rtol=1e-12)


def test_a_square_of_labels_is_read_by_what_it_can_be() -> None:
    numbers = np.array([[0, 1, 2], [1, 1, 0], [2, 0, 1]])
    read = labels_for("cross_entropy", numbers.astype(float), (3, 3, 3))
    assert np.array_equal(read, np.eye(3)[numbers])
    shares = np.array([[0.2, 0.3, 0.5], [1.0, 0.0, 0.0], [0.1, 0.9, 0.0]])
    assert np.array_equal(labels_for("cross_entropy", shares, (3, 3, 3)), shares[None])
    with pytest.raises(DataError, match="may be class numbers of each seed, or probabilities"):
        labels_for("cross_entropy", np.eye(3), (3, 3, 3))
    with pytest.raises(DataError, match="class numbers must be"):
        labels_for("cross_entropy", np.full((2, 3), 7.0), (2, 3, 3))
    assert labels_for("cross_entropy", np.eye(3), (1, 3, 3)).shape == (1, 3, 3), "one network: probabilities"


@pytest.mark.parametrize(("engine", "seeds"), [("kernel", 60), ("gradient_flow", 12)])
def test_losses_are_those_of_the_final_function_though_kinks_lie_on_data(engine: str, seeds: int) -> None:
    """b = -(w x_j) rounded: w x_j + b is rounding, and -b/w may be either neighbour of x_j."""
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        x, y = np.sort(rng.normal(size=5)), rng.normal(size=5)
        w, v = rng.normal(size=(2, 12))
        start = TwoLayer(w, -(w * x[rng.integers(5, size=12)]), v)
        done = train(start, x, y, engine=engine, times=[1.0])
        assert float(done.final_loss) == pytest.approx(0.5 * np.square(done(x) - y).sum(), rel=1e-9, abs=1e-12)


def test_the_same_holds_for_vectors() -> None:
    for seed in range(40):
        rng = np.random.default_rng(seed)
        x, y = rng.normal(size=(6, 3)), rng.normal(size=6)
        w, v = rng.normal(size=(40, 3)), rng.normal(size=40)
        at = rng.integers(6, size=40)
        b = -(w[:, 0] * x[at, 0] + w[:, 1] * x[at, 1] + w[:, 2] * x[at, 2])
        done = train(TwoLayer(w, b, v), x, y, engine="kernel", times=[1.0])
        whole, one_by_one = done(x), np.array([done(point) for point in x])
        np.testing.assert_allclose(whole, one_by_one, rtol=1e-9, atol=1e-12)
        assert float(done.final_loss) == pytest.approx(0.5 * np.square(whole - y).sum(), rel=1e-9, abs=1e-12)


def test_one_input_gives_one_value() -> None:
    rng = np.random.default_rng(1)
    flat = TwoLayer(*rng.normal(size=(3, 2, 4)))
    assert np.array_equal(flat(0.5), flat([0.5])[:, 0])
    assert np.shape(flat.one(0)(0.5)) == ()
    done = train(flat, [0.0, 1.0], [0.0, 1.0], step=0.01, steps=3)
    assert np.array_equal(done(0.5), done(np.array([0.5]))[:, 0])
    wide = TwoLayer(rng.normal(size=(4, 3)), rng.normal(size=4), rng.normal(size=(4, 2)))
    assert np.array_equal(wide([1.0, 2.0, 3.0]), wide([[1.0, 2.0, 3.0]])[0])
    deep = LayeredNetwork(([[1.0, 2.0]], [[3.0]]), ([0.0], [0.0]))
    assert np.array_equal(deep([1.0, 2.0]), deep([[1.0, 2.0]])[0])
    with pytest.raises(DataError, match=r"inputs must have shape \(Q, 3\), or \(3,\) for one: got \(\)"):
        wide(0.5)
    with pytest.raises(DataError, match=r"inputs must have shape \(Q,\), or be a number: got \(1, 1\)"):
        flat([[0.5]])
    assert np.isnan(flat.one(0)([np.nan, 0.0])).tolist() == [True, False]
