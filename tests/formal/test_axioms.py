"""What Coq prints of a theorem's axioms, read and graded."""

import pytest

from implicitbias.formal.axioms import Grade, axioms_of, grade_of, not_allowed

PRINTED = """Axioms:
PrimFloat.sub : PrimFloat.float -> PrimFloat.float -> PrimFloat.float
ClassicalDedekindReals.sig_not_dec : forall P : Prop, {~ ~ P} + {~ P}
FunctionalExtensionality.functional_extensionality_dep
  : forall (A : Type) (B : A -> Type) (f g : forall x : A, B x),
    (forall x : A, f x = g x) -> f = g
"""


def test_names_are_read_and_types_are_not() -> None:
    assert axioms_of(PRINTED) == (
        "PrimFloat.sub",
        "ClassicalDedekindReals.sig_not_dec",
        "FunctionalExtensionality.functional_extensionality_dep",
    )


def test_a_closed_theorem_has_none() -> None:
    assert axioms_of("Closed under the global context\n") == ()


@pytest.mark.parametrize("printed", ["", "Axioms:", "Error", "Section Variables:\nx : nat", "Closed under the weather"])
def test_what_coq_does_not_say_is_not_read_as_no_axioms(printed: str) -> None:
    with pytest.raises(ValueError, match="not an answer"):
        axioms_of(printed)


@pytest.mark.parametrize(
    ("axioms", "grade"),
    [
        ((), Grade.CLOSED),
        (("ClassicalDedekindReals.sig_forall_dec", "Classical_Prop.classic"), Grade.CLASSICAL),
        (("classic",), Grade.CLASSICAL),
        (("FloatAxioms.add_spec", "classic"), Grade.MACHINE),
        (("Uint63.add_spec",), Grade.MACHINE),
        (("proof_irrelevance",), None),
        (("classic", "my_classic"), None),
        (("Mine.PrimFloat.sub",), None),
        (("t is assumed to be guarded.",), None),
    ],
)
def test_grades(axioms: tuple[str, ...], grade: Grade | None) -> None:
    assert grade_of(axioms) == grade


def test_those_not_allowed_are_named() -> None:
    assert not_allowed(("classic", "epsilon", "PrimFloat.sub", "eq_rect_eq")) == ("epsilon", "eq_rect_eq")
