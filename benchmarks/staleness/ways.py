"""The ways: claim files that compute a square with an exponent from elsewhere, and the change of what it comes from.

In the sources FOLDER is the claims folder and OUTSIDE a folder beside it that is on Python's path.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

TWO = "POWER = 2\n"
THREE = "POWER = 3\n"


@dataclass(frozen=True)
class Way:
    """One way to depend on something.

    power        an expression for the exponent, evaluated in the check
    head         statements before the check
    files        files that are there, by their paths in FOLDER, or beside it (`../outside/…`)
    change       files that are written (None: removed) so that the exponent is another one
    variables    environment variables that are set, and `changed` to
    library      a file of implicitbias that the check uses: it is not changed, but must be in the record
    never_fresh  what it uses cannot be recorded, so it must never be called fresh
    """

    power: str
    head: str = ""
    files: Mapping[str, str | bytes] = field(default_factory=dict)
    change: Mapping[str, str | bytes | None] = field(default_factory=dict)
    links: Mapping[str, str] = field(default_factory=dict)
    relinked: Mapping[str, str] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict)
    changed: Mapping[str, str | None] = field(default_factory=dict)
    elsewhere: bool = False
    library: str = ""
    never_fresh: bool = False
    prefix: str = ""


def helper(statement: str, power: str = "POWER", name: str = "_h.py", inside: bool = False) -> Way:
    """A module that holds the exponent, imported by this statement: at the top, or in the check."""
    files: dict[str, str | bytes] = {name: TWO}
    change: dict[str, str | bytes | None] = {name: THREE}
    if inside:
        body = statement.replace("\n", "\n    ")
        return Way("power()", f"def power():\n    {body}\n    return {power}", files, change)
    return Way(power, statement, files, change)


def data(expression: str, name: str = "d.dat", head: str = "", two: str | bytes = "2", three: str | bytes = "3") -> Way:
    return Way(expression, head, {name: two}, {name: three})


READ = "int(open('FOLDER/d.dat').read())"
LIBRARY = "implicitbias/convex/minimum_norm/interpolants.py"
COST = "int({}([0, 1, 2], [0, 1, 0]).cost)"

MODULES: dict[str, Way] = {
    "relative": helper("from ._h import POWER"),
    "relative_module": helper("from . import _h", "_h.POWER"),
    "star": helper("from ._h import *"),
    "odd_spacing": helper("from . _h import POWER"),
    "tabs": helper("from\t.\t_h\timport\tPOWER"),
    "continued": helper("from ._h \\\n    import \\\n    POWER"),
    "semicolon": helper("import os; from ._h import POWER"),
    "non_ascii": helper("from ._größe import POWER", name="_größe.py"),
    "byte_order_mark": Way("POWER", "from ._h import POWER", {"_h.py": TWO}, {"_h.py": THREE}, prefix="\ufeff"),
    "import_module": helper("import importlib\nh = importlib.import_module('._h', __package__)", "h.POWER"),
    "import_module_taken": helper(
        "from importlib import import_module\nh = import_module('._h', __package__)", "h.POWER"
    ),
    "dunder_import": helper("h = __import__('_h', globals(), locals(), ['POWER'], 1)", "h.POWER"),
    "inside_a_function": helper("from ._h import POWER", inside=True),
    "import_module_inside": helper(
        "import importlib\nh = importlib.import_module('._h', __package__)", "h.POWER", inside=True
    ),
    "package": helper("from ._p import POWER", name="_p/__init__.py"),
    "namespace_package": helper("from ._n.h import POWER", name="_n/h.py"),
    "through_another": Way(
        "POWER", "from ._a import POWER", {"_a.py": "from ._b import POWER\n", "_b.py": TWO}, {"_b.py": THREE}
    ),
    "lazily_through_another": Way(
        "_a.POWER",
        "from . import _a",
        {"_a.py": "def __getattr__(name):\n    from . import _b\n    return getattr(_b, name)\n", "_b.py": TWO},
        {"_b.py": THREE},
    ),
    "attribute_of_a_package": Way(
        "_p.h.POWER", "from . import _p", {"_p/__init__.py": "from . import h\n", "_p/h.py": TWO}, {"_p/h.py": THREE}
    ),
    "loaded_modules": Way(
        "sys.modules[__package__ + '._b'].POWER",
        "import sys\nfrom . import _a",
        {"_a.py": "from . import _b\n", "_b.py": TWO},
        {"_b.py": THREE},
    ),
    "spec_from_file": helper(
        "import importlib.util as u\ns = u.spec_from_file_location('h', 'FOLDER/_h.py')\n"
        "h = u.module_from_spec(s)\ns.loader.exec_module(h)",
        "h.POWER",
        inside=True,
    ),
    "run_path": helper("import runpy", "runpy.run_path('FOLDER/_h.py')['POWER']"),
    "exec_open": helper("names = {}\nexec(open('FOLDER/_h.py').read(), names)", "names['POWER']", inside=True),
    "exec_open_of_another": Way(
        "POWER",
        "from ._a import POWER",
        {"_a.py": "exec(open('FOLDER/_b.txt').read())\n", "_b.txt": TWO},
        {"_b.txt": THREE},
    ),
    "python_path": Way(
        "h_outside.POWER", "import h_outside", {"../outside/h_outside.py": TWO}, {"../outside/h_outside.py": THREE}
    ),
    "python_path_inside": Way(
        "power()",
        "def power():\n    import h_inside\n    return h_inside.POWER",
        {"../outside/h_inside.py": TWO},
        {"../outside/h_inside.py": THREE},
    ),
    "hides_one_on_the_path": Way(
        "h_hidden.POWER", "import h_hidden", {"../outside/h_hidden.py": TWO}, {"../before/h_hidden.py": THREE}
    ),
    "package_hides_module": Way("_h.POWER", "from . import _h", {"_h.py": TWO}, {"_h/__init__.py": THREE}),
    "optional_module_appears": Way(
        "POWER", "try:\n    from ._later import POWER\nexcept ImportError:\n    POWER = 2", {}, {"_later.py": THREE}
    ),
    "optional_on_the_path_appears": Way(
        "POWER",
        "try:\n    from h_later import POWER\nexcept ImportError:\n    POWER = 2",
        {},
        {"../outside/h_later.py": THREE},
    ),
    "sought_module_appears": Way(
        "3 if importlib.util.find_spec('h_sought') else 2", "import importlib.util", {}, {"../outside/h_sought.py": ""}
    ),
    "public_name": Way(COST.format("ib.min_norm_interpolant"), "import implicitbias as ib", library=LIBRARY),
    "public_name_taken": Way(
        COST.format("min_norm_interpolant"), "from implicitbias import min_norm_interpolant", library=LIBRARY
    ),
    "public_name_inside": Way(
        "power()",
        f"def power():\n    import implicitbias\n    return {COST.format('implicitbias.min_norm_interpolant')}",
        library=LIBRARY,
    ),
    "submodule_of_the_library": Way(
        COST.format("implicitbias.convex.minimum_norm.interpolants.min_norm_interpolant"),
        "import implicitbias.convex.minimum_norm.interpolants",
        library=LIBRARY,
    ),
    "judging": Way("2", library="implicitbias/judging/judgement.py"),
    "worker": Way("2", library="implicitbias/running/worker.py"),
    "worker_process": Way("2", library="implicitbias/running/process.py"),
}

FILES: dict[str, Way] = {
    "any_suffix": data(READ),
    "name_with_spaces": data("int(open('FOLDER/my data.csv').read())", "my data.csv"),
    "name_made_at_run_time": data("int(open(f'FOLDER/d{4 + 3}.x').read())", "d7.x"),
    "read_when_imported": data("POWER", head=f"POWER = {READ}"),
    "read_by_another_when_imported": Way(
        "POWER", "from ._a import POWER", {"_a.py": f"POWER = {READ}\n", "d.dat": "2"}, {"d.dat": "3"}
    ),
    "kept_by_a_cache": data("kept()", head=f"import functools\n@functools.cache\ndef kept():\n    return {READ}"),
    "path_read_text": data("int(Path(__file__).with_name('d.dat').read_text())", head="from pathlib import Path"),
    "os_open": data("int(os.read(os.open('FOLDER/d.dat', os.O_RDONLY), 9))", head="import os"),
    "numpy_loadtxt": data("int(np.loadtxt('FOLDER/d.dat'))", head="import numpy as np"),
    "numpy_fromfile": data(
        "int(np.fromfile('FOLDER/d.dat', dtype=np.uint8)[0])", head="import numpy as np", two=b"\2", three=b"\3"
    ),
    "numpy_memmap": data(
        "int(np.memmap('FOLDER/d.dat', np.uint8, 'r')[0])", head="import numpy as np", two=b"\2", three=b"\3"
    ),
    "mmap": data(
        "power()",
        head="import mmap\ndef power():\n    with open('FOLDER/d.dat', 'rb') as f:\n"
        "        return mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ)[0]",
        two=b"\2",
        three=b"\3",
    ),
    "fileinput": data("int(next(fileinput.input('FOLDER/d.dat')))", head="import fileinput"),
    "resources": data(
        "int(importlib.resources.files(__package__).joinpath('d.dat').read_text())", head="import importlib.resources"
    ),
    "symbolic_link": Way(READ, "", {"one": "2", "two": "3"}, {}, {"d.dat": "one"}, {"d.dat": "two"}),
    "behind_a_symbolic_link": Way(READ, "", {"one": "2"}, {"one": "3"}, {"d.dat": "one"}),
    "relative_to_the_working_directory": Way("int(open('here').read())", elsewhere=True),
    "absent_from_the_working_directory": Way(
        "3 if os.path.exists('absent') else 2", "import os", change={"../work/absent": ""}
    ),
    "present_in_another_working_directory": Way("3 if os.path.exists('there') else 2", "import os", elsewhere=True),
    "working_directory": Way("3 if os.getcwd().endswith('elsewhere') else 2", "import os", elsewhere=True),
    "a_file_appears": Way("3 if os.path.exists('FOLDER/flag') else 2", "import os", {}, {"flag": ""}),
    "a_file_that_is_tried_appears": Way(
        "power()",
        "def power():\n    try:\n        return int(open('FOLDER/flag').read())\n    except OSError:\n        return 2",
        {},
        {"flag": "3"},
    ),
    "a_file_goes": Way("2 if os.path.isfile('FOLDER/flag') else 3", "import os", {"flag": ""}, {"flag": None}),
    "a_file_grows": Way("os.stat('FOLDER/d.dat').st_size", "import os", {"d.dat": "12"}, {"d.dat": "123"}),
    "glob_gains_a_file": Way(
        "len(glob.glob('FOLDER/g/*.t'))", "import glob", {"g/a.t": "", "g/b.t": ""}, {"g/c.t": ""}
    ),
    "path_glob_gains_a_file": Way(
        "len(list(Path('FOLDER/g').rglob('*.t')))",
        "from pathlib import Path",
        {"g/a.t": "", "g/b.t": ""},
        {"g/c.t": ""},
    ),
    "listing_loses_a_file": Way("len(os.listdir('FOLDER/g'))", "import os", {"g/a": "", "g/b": ""}, {"g/b": None}),
    "sqlite": Way(
        "sqlite3.connect('file:FOLDER/d.db?mode=ro', uri=True).execute('pragma user_version').fetchone()[0]",
        "import sqlite3",
        {"d.db": "SQLITE 2"},
        {"d.db": "SQLITE 3"},
    ),
    "zip_of_modules": Way(
        "power()",
        "import sys\ndef power():\n    sys.path.insert(0, 'FOLDER/z.zip')\n    import h_zipped\n"
        "    return h_zipped.POWER",
        {"z.zip": "ZIP " + TWO},
        {"z.zip": "ZIP " + THREE},
    ),
    "zip_of_data": Way(
        "int(zipfile.ZipFile('FOLDER/z.zip').read('h_zipped.py').split()[-1])",
        "import zipfile",
        {"z.zip": "ZIP " + TWO},
        {"z.zip": "ZIP " + THREE},
    ),
    "config": Way(
        "int(read().get('a', 'power'))",
        "import configparser\ndef read():\n    c = configparser.ConfigParser()\n    c.read('FOLDER/d.ini')\n"
        "    return c",
        {"d.ini": "[a]\npower = 2\n"},
        {"d.ini": "[a]\npower = 3\n"},
    ),
    "own_file_read_again": Way(
        "power()",
        f"def power():\n    open('FOLDER/w.out', 'w').write(str({READ}))\n    return int(open('FOLDER/w.out').read())",
        {"d.dat": "2"},
        {"d.dat": "3"},
    ),
}

ENVIRONMENT: dict[str, Way] = {
    "variable": Way("int(os.environ['W_POWER'])", "import os", variables={"W_POWER": "2"}, changed={"W_POWER": "3"}),
    "variable_with_default": Way("int(os.getenv('W_POWER_2', '2'))", "import os", changed={"W_POWER_2": "3"}),
    "variable_is_asked_for": Way("3 if 'W_POWER_3' in os.environ else 2", "import os", changed={"W_POWER_3": ""}),
    "variable_goes": Way(
        "int(os.environ.get('W_POWER_4', '3'))", "import os", variables={"W_POWER_4": "2"}, changed={"W_POWER_4": None}
    ),
    "variable_in_a_copy": Way(
        "int(os.environ.copy().get('W_POWER_5', '2'))", "import os", changed={"W_POWER_5": "3"}
    ),
    "variable_in_a_dictionary": Way(
        "int(dict(os.environ).get('W_POWER_6', 2))", "import os", changed={"W_POWER_6": "3"}
    ),
    "variable_in_bytes": Way("int(os.environb.get(b'W_POWER_7', b'2'))", "import os", changed={"W_POWER_7": "3"}),
    "variable_in_a_path": Way(
        "int(open(os.path.expandvars('$W_PLACE/n')).read())",
        "import os",
        {"a/n": "2", "b/n": "3"},
        variables={"W_PLACE": "FOLDER/a"},
        changed={"W_PLACE": "FOLDER/b"},
    ),
    "variable_read_when_imported": Way(
        "POWER", "import os\nPOWER = int(os.environ.get('W_POWER_8', 2))", changed={"W_POWER_8": "3"}
    ),
    "home": Way("int(open(os.path.expanduser('~/n')).read())", "import os", {"a/n": "2", "b/n": "3"},
                variables={"HOME": "FOLDER/a"}, changed={"HOME": "FOLDER/b"}),
}  # fmt: skip

UNSEEN: dict[str, Way] = {
    "process": Way(
        "int(subprocess.run(['cat', 'FOLDER/d.dat'], capture_output=True).stdout)",
        "import subprocess",
        {"d.dat": "2"},
        {"d.dat": "3"},
        never_fresh=True,
    ),
    "system": Way(
        "2 + os.system('grep -q 3 FOLDER/d.dat') * 0", "import os", {"d.dat": "2"}, {"d.dat": "3"}, never_fresh=True
    ),
    "forked": Way("2 if os.waitpid(os.fork() or os._exit(0), 0) else 3", "import os", never_fresh=True),
}

WAYS: dict[str, Way] = {**MODULES, **FILES, **ENVIRONMENT, **UNSEEN}
