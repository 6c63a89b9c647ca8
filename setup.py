"""What pyproject.toml cannot say: `theory` and `tui` stand beside `src` and install as packages of implicitbias, and
the archive of the sources is the same whenever and by whomever it is made."""

import gzip
import os
import tarfile
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.sdist import sdist

FOLDERS = {"implicitbias": "src/implicitbias", "implicitbias.theory": "theory", "implicitbias.tui": "tui"}


os.umask(0o022)  # the modes in a wheel are those of the files that are written while it is made


class Repeatable(sdist):
    """With SOURCE_DATE_EPOCH set, as the wheel has it: files in order, of that date, nobody's, with plain modes."""

    def make_archive(self, base_name, format, root_dir=None, base_dir=None, owner=None, group=None):
        date = os.environ.get("SOURCE_DATE_EPOCH")
        if date is None or format != "gztar" or base_dir is None:
            return super().make_archive(base_name, format, root_dir, base_dir, owner, group)

        def plain(member):
            member.mtime, member.uid, member.gid, member.uname, member.gname = int(date), 0, 0, "", ""
            member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
            return member

        archive = Path(f"{base_name}.tar.gz")
        with (
            archive.open("wb") as file,
            gzip.GzipFile("", "wb", fileobj=file, mtime=int(date)) as packed,
            tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar,
        ):
            for path in sorted(Path(base_dir).rglob("*")):
                tar.add(path, recursive=False, filter=plain)
        return str(archive)


setup(
    packages=[
        name
        for package, folder in FOLDERS.items()
        for name in (package, *(f"{package}.{p}" for p in find_packages(folder)))
    ],
    package_dir=FOLDERS,
    cmdclass={"sdist": Repeatable},
)
