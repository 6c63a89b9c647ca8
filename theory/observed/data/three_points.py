"""Formulas, as text, for data at -h, 0, k, shared by several claims. Only claims use them, never observations."""

JUMP = "((y_3 - y_2)/k - (y_2 - y_1)/h)"
"""Jump of the slope of the chords at the middle point."""
BEND = f"(3*{JUMP}/(h + k))"
"""Second derivative of the natural cubic spline at the middle point."""
NATURAL = (
    f"y_2 - {BEND}*(h**2 + k**2)/12 + ((y_3 - y_2)/k - {BEND}*(k + 3*h)/12)*x"
    f" + {BEND}/12*(Abs(x + h)**3/h - Abs(x)**3*(1/h + 1/k) + Abs(x - k)**3/k)"
)
"""The natural cubic spline at x, linear beyond the outer points."""
PARABOLA = f"y_2 + ((y_3 - y_2)*h/k + (y_2 - y_1)*k/h)/(h + k)*x + {JUMP}/(h + k)*x**2"
CHORDS = "y_2 + ((y_3 - y_2)/k + (y_2 - y_1)/h)/2*x + " + JUMP + "/2*Abs(x)"
SPREAD = "(h**2 + k**2 - (k - h)**2/3)"
REGRESSION = f"(y_1 + y_2 + y_3)/3 + (k*y_3 - h*y_1 - (k - h)*(y_1 + y_2 + y_3)/3)/{SPREAD}*(p - (k - h)/3)"
"""The least-squares line at p."""
