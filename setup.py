"""What pyproject.toml cannot say: `theory` and `tui` stand beside `src` and install as packages of implicitbias."""

from setuptools import find_packages, setup

FOLDERS = {"implicitbias": "src/implicitbias", "implicitbias.theory": "theory", "implicitbias.tui": "tui"}

setup(
    packages=[
        name
        for package, folder in FOLDERS.items()
        for name in (package, *(f"{package}.{p}" for p in find_packages(folder)))
    ],
    package_dir=FOLDERS,
)
