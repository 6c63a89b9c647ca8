"""Small damage to texts that are right: what transfers, editors and programs do to files."""

from __future__ import annotations

from random import Random

from benchmarks.fuzzing.numerals import number

PIECES = (
    b"\x00",
    b"\xff",
    b"\xc3",
    b"\xef\xbb\xbf",
    b"\xfe\xff",
    b"\r",
    b"\r\n",
    b"\n\n",
    b'"',
    b"'",
    b",",
    b";",
    b"\t",
    b"#",
    b"-",
    b"nan",
    b"[",
    b"{",
    b"}",
    b"(",
    b")",
    b"\x1b[2J",
    b"\x85",
    b"\xe2\x80\xa8",
    b"\\",
    b"\x1a",
    b" ",
    b":",
)


def damaged(random: Random, text: bytes, most: int = 4) -> bytes:
    """The text after up to `most` changes: pieces put in, taken out, doubled, moved, or replaced."""
    for _ in range(random.randint(1, most)):
        at = random.randrange(len(text) + 1)
        to = min(len(text), at + random.choice((1, 1, 2, 5, 40)))
        match random.randrange(8):
            case 0:
                text = text[:at] + text[to:]
            case 1:
                text = text[:at] + random.choice(PIECES) + text[at:]
            case 2:
                text = text[:at] + random.choice(PIECES) + text[to:]
            case 3:
                text = text[:at] + text[at:to] * random.choice((2, 3, 50)) + text[to:]
            case 4:
                text = text[:at] + random.randbytes(to - at) + text[to:]
            case 5:
                text = text[:at] + number(random, 0.7).encode("utf-8", "surrogatepass") + text[to:]
            case 6:
                text = text[:at]
            case 7:
                lines = text.split(b"\n")
                random.shuffle(lines)
                text = b"\n".join(lines)
    return text


def encoded(random: Random, text: str) -> bytes:
    """The text in bytes: UTF-8 most of the time, with all kinds of line ends."""
    ends = random.choice(("\n", "\n", "\n", "\r\n", "\r"))
    text = text.replace("\n", ends)
    if random.random() < 0.9:
        return (b"\xef\xbb\xbf" if random.random() < 0.1 else b"") + text.encode("utf-8", "surrogatepass")
    return text.encode(random.choice(("utf-16", "utf-16-le", "utf-32", "latin-1", "cp1252", "utf-7")), "replace")
