"""Two themes in addition to Textual's, a dark and a light one: all colours on the screen come from a theme."""

from __future__ import annotations

from textual.theme import Theme

DARK, LIGHT = "slate", "paper"

THEMES = (
    Theme(
        name=DARK,
        primary="#6ea8fe",
        secondary="#5fd0d8",
        accent="#f0b35a",
        warning="#f0b35a",
        error="#ff6b7d",
        success="#7bd88f",
        foreground="#dfe3ec",
        background="#14171d",
        surface="#191d25",
        panel="#252b36",
        dark=True,
        variables={
            "border-blurred": "#39414f",
            "scrollbar": "#39414f",
            "scrollbar-hover": "#4a5568",
            "scrollbar-background": "#14171d",
            "block-cursor-background": "#2f5c9e",
            "block-cursor-foreground": "#ffffff",
            "block-cursor-blurred-background": "#2a3240",
            "footer-background": "#1d222b",
            "footer-key-foreground": "#f0b35a",
        },
    ),
    Theme(
        name=LIGHT,
        primary="#1f5fbf",
        secondary="#0b7285",
        accent="#9a5b00",
        warning="#9a5b00",
        error="#b3122f",
        success="#1d7a36",
        foreground="#20242c",
        background="#fbfaf6",
        surface="#f4f2ec",
        panel="#e6e3d9",
        dark=False,
        variables={
            "border-blurred": "#c4c0b3",
            "scrollbar": "#c4c0b3",
            "scrollbar-hover": "#a9a494",
            "scrollbar-background": "#fbfaf6",
            "block-cursor-background": "#1f5fbf",
            "block-cursor-foreground": "#ffffff",
            "block-cursor-blurred-background": "#d5dfef",
            "footer-background": "#e9e6dc",
            "footer-key-foreground": "#8a5100",
        },
    ),
)
