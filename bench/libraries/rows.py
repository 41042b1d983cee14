"""The shuffles that are tested: what they are called, where they come from, and the command that writes their decks."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
BUILD = HERE.parents[1] / "build" / "libraries"
UNPACKED = BUILD / "debian"
# The shell and Java look for these when they are used: before the packages are unpacked, nothing is there.
CLANG = f"$(echo {UNPACKED}/usr/lib/llvm-*)"
JARS = f"/usr/share/java/*:{UNPACKED}/usr/share/java/*"
PYTHON = BUILD / "venv/bin/python"
# The unpacked packages keep their libraries in these folders.
_SHARED = "usr/lib/x86_64-linux-gnu"
FOLDERS = (
    *(f"{_SHARED}{each}" for each in ("", "/blas", "/lapack", "/hdf5/openmpi", "/openmpi/lib")),
    *("lib/x86_64-linux-gnu", "usr/lib/R/lib", "usr/lib/llvm-14/lib"),
)
# The folders with the headers of each version of Thrust.
THRUST = {
    "Thrust": UNPACKED / "usr/include",
    "CCCL for CUDA 12.9": BUILD / "nvidia-cuda-cccl-cu12==12.9.27/nvidia/cuda_cccl/include",
    "CCCL for CUDA 13.3": BUILD / "nvidia-cuda-cccl==13.3.5.0.6/nvidia/cu13/include/cccl",
}
MANY, SOME, FEW, VERY_FEW = 1_000_000, 150_000, 100_000, 20_000
USUAL = 52  # cards
SIZES = (5, 16, USUAL, 64, 128, 255, 256, 257, 1_000)
SAMPLED = (USUAL, 257, 1_000)  # for a sample of a few cards


@dataclass(frozen=True)
class Row:
    """A shuffle to test.

    Attributes:
        language: in which it is written or called.
        package: the package, library or program that it comes from.
        calls: what is called.
        command: the command that writes its decks; without ``{cards}`` the number of cards comes last.
        version: the command whose first line with a digit has the version; or ``npm:``, ``pip:`` or ``crate:`` and a
            name.
        decks: to count.
        layout: how the command writes decks.
        seen: what it writes of each deck, if not all of it: a sample as a set, or in order, as the library promises.
        sizes: the numbers of cards that are asked.
        branches: what the source does otherwise at sizes that only this row has.
    """

    language: str
    package: str
    calls: str
    command: str
    version: str
    decks: int = SOME
    layout: str = "u16"
    seen: str = ""
    sizes: tuple[int, ...] = SIZES
    branches: str = ""


def _branch(branches: str, *sizes: int, among: tuple[int, ...] = SIZES) -> dict[str, Any]:
    return {"sizes": tuple(sorted({*among, *sizes})), "branches": branches}


def _sample(seen: str = "top:5", decks: int = VERY_FEW) -> dict[str, Any]:
    """Return what a row has that draws a sample: its first cards in order, or as a set."""
    return {"seen": seen, "decks": decks, "sizes": SAMPLED}


def _node(calls: str, name: str, decks: int, package: str = "", **more: Any) -> Row:
    version = f"npm:{package}" if package else "node --version"
    command = f"node {HERE}/shuffles.mjs {{cards}} '{name}'"
    return Row("JavaScript", package or "node", calls, command, version, decks, **more)


def _npm(package: str, calls: str = "shuffle(deck)", decks: int = SOME, name: str = "", **more: Any) -> Row:
    return _node(calls, name or package, decks, package, **more)


def _python(calls: str, name: str, decks: int, package: str = "", version: str = "", **more: Any) -> Row:
    version = version or (f"pip:{package}" if package else f"{PYTHON} --version")
    command = f"{_TORCH if package == 'torch' else PYTHON} {HERE}/shuffles.py {{cards}} '{name}'"
    return Row("Python", package or "CPython", calls, command, version, decks, **more)


def _cpp(calls: str, name: str, package: str = "libstdc++", decks: int = SOME, **more: Any) -> Row:
    program = "shuffles-clang" if package == "libc++" else "shuffles-g++"
    version = f"{CLANG}/bin/clang++ --version" if package == "libc++" else "g++ --version"
    return Row("C++", package, calls, f"{BUILD}/{program} {{cards}} '{name}'", version, decks, **more)


def _thrust(package: str, calls: str) -> Row:
    command = f"{BUILD}/shuffles-{package.split()[-1]} {{cards}} {calls}"
    version = f"sed -n 's/^#define THRUST_VERSION \\([0-9]*\\).*/\\1/p' {THRUST[package]}/thrust/version.h"
    calls = f"{calls}, keys from mt19937_64, on the processor"
    branch = _branch("a cipher of 2^k points", 32, 512, 1_024)
    return Row("C++", package, calls, command, version, VERY_FEW, **branch)


def _c(calls: str, name: str) -> Row:
    return Row("C", "glibc", calls, f"{BUILD}/shuffles-g++ {{cards}} '{name}'", "ldd --version", MANY)


def _rust(calls: str, name: str, crate: str, decks: int = SOME, **more: Any) -> Row:
    return Row("Rust", crate, calls, f"{BUILD}/shuffles-rust {{cards}} {name}", f"crate:{crate}", decks, **more)


def _sharp(calls: str, name: str) -> Row:
    return Row("C#", "Mono", calls, f"mono {BUILD}/shuffles.exe {{cards}} {name}", "mono --version", VERY_FEW)


def _java(calls: str, name: str, decks: int = SOME, package: str = "OpenJDK") -> Row:
    version = "java --version" if package == "OpenJDK" else f"jar:{package}"
    return Row("Java", package, calls, f"java -cp {BUILD}:{JARS} Shuffles {{cards}} {name}", version, decks)


def _awk(package: str, command: str, version: str, decks: int) -> Row:
    words = f"{command} -v cards={{cards}} -f {HERE}/shuffles.awk"
    return Row("awk", package, "int(rand() * n), Fisher and Yates", words, version, decks, "text")


def _text(language: str, package: str, calls: str, command: str, version: str, decks: int = VERY_FEW) -> Row:
    return Row(language, package, calls, f"{command} {{cards}}", version, decks, "text")


def _shell(package: str, command: str, version: str) -> Row:
    return Row("shell", package, "RANDOM % n, Fisher and Yates", f"{command} {{cards}}", version, FEW // 2, "text")


def _lines(package: str, command: str, version: str, decks: int = VERY_FEW, **more: Any) -> Row:
    words = f"sh {HERE}/shuffles.sh {{cards}} {command}"
    return Row("command", package, command.rpartition("/")[2], words, version, decks, "text", **more)


_DRAWN = "Fisher and Yates with "
_BIN = UNPACKED / "usr/bin"
_BUSYBOX = UNPACKED / "bin/busybox"
_LISP = f"env SBCL_HOME={UNPACKED}/usr/lib/sbcl {_BIN}/sbcl --core {UNPACKED}/usr/lib/sbcl/sbcl.core"
_GUILE = (
    f"env GUILE_AUTO_COMPILE=0 GUILE_LOAD_PATH={UNPACKED}/usr/share/guile/3.0 "
    f"GUILE_LOAD_COMPILED_PATH={UNPACKED}/usr/lib/x86_64-linux-gnu/guile/3.0/ccache {_BIN}/guile-3.0"
)
_R = f"env R_HOME={UNPACKED}/usr/lib/R {UNPACKED}/usr/lib/R/bin/exec/R --no-echo --vanilla"
_SAMPLES = f"--file={HERE}/shuffles.R --args"
_RUBY = f"env RUBYLIB={UNPACKED}/usr/lib/ruby/3.1.0:{UNPACKED}/usr/lib/x86_64-linux-gnu/ruby/3.1.0 {_BIN}/ruby3.1"
_NIM = " ".join(
    f"--path:{UNPACKED}/usr/lib/nim/lib/{each}"
    for each in ("core", "pure", "pure/collections", "std", "posix", "system")
)
_ERLANG, _MIX = UNPACKED / "usr/lib/erlang", UNPACKED / "usr/lib/elixir/lib"
_ELIXIR = (
    f"env ROOTDIR={_ERLANG} EMU=beam BINDIR=$(echo {_ERLANG}/erts-*/bin) $(echo {_ERLANG}/erts-*/bin/erlexec) "
    f"-noshell -boot {_ERLANG}/bin/start_clean -elixir ansi_enabled false -pa {_MIX}/elixir/ebin {_MIX}/logger/ebin "
    "-s elixir start_cli -extra"
)
_TORCHES = f"{BUILD}/torch/usr/share"
_FOUND = ":".join(f"{BUILD}/torch/{folder}" for folder in ("usr/lib", *FOLDERS))
_TORCH = f"env LD_LIBRARY_PATH={_FOUND} PYTHONPATH={BUILD}/torch/usr/lib/python3/dist-packages /usr/bin/python3"
_SQLITE = f"{PYTHON} -c 'import sqlite3; print(sqlite3.sqlite_version)'"
_VSN = f"grep vsn {_MIX}/elixir/ebin/elixir.app"
_JAVA = f"java -cp '{BUILD}:{JARS}'"
_POSTGRESQL = UNPACKED / "usr/lib/postgresql/15/bin"
_POSTGRES = f"sh {HERE}/shuffles.postgres.sh {_POSTGRESQL} {BUILD}/postgres"
# What the sources do otherwise at some sizes.
_TWO = "two swaps a draw up to the smaller size"
_SORTS = "one sort up to 1,625 cards, two beyond"
_SET = "a list up to 21 cards, a set beyond"
_CIPHER = _branch("a cipher of 65,536 points up to that size", 65_536)
_SORTED = _branch("one insertion sort up to 63 cards", 63)
_PERL = "perl -MList::Util -e 'print $List::Util::VERSION'"
_PHP = f"{_BIN}/php8.2 -n"
_NEGATIVE = {**_sample("set:5"), **_branch("up to 9 cards it draws those left out", 9, 10, among=SAMPLED)}
_PROLOG = f"env SWI_HOME_DIR={UNPACKED}/usr/lib/swi-prolog {_BIN}/swipl"
_DEALT = f"{_PROLOG} {HERE}/shuffles.prolog"

ROWS = (
    _python("random.shuffle(deck)", "random.shuffle", SOME),
    _python("random.sample(deck, n)", "random.sample", SOME),
    _python("secrets.SystemRandom().shuffle(deck)", "secrets.SystemRandom", FEW),
    _python("sorted(deck, key=lambda card: random())", "sorted by random.random", SOME),
    _python("numpy.random.permutation(deck)", "numpy.random.permutation", SOME, "numpy"),
    _python("default_rng().permutation(deck)", "Generator.permutation", SOME, "numpy"),
    _python("default_rng().permuted(decks, axis=1)", "Generator.permuted", MANY, "numpy"),
    _python("Series.sample(frac=1)", "pandas", SOME, "pandas"),
    _python("Series.shuffle()", "polars", SOME, "polars"),
    _python("sklearn.utils.shuffle(deck)", "scikit-learn", FEW, "scikit-learn"),
    _python("sympy.core.random.shuffle(deck)", "sympy.core.random.shuffle", SOME, "sympy"),
    _python("sympy.combinatorics.Permutation.random(n)", "sympy.Permutation.random", FEW, "sympy"),
    _python("random_permutation(deck)", "more-itertools", SOME, "more-itertools"),
    _python("Faker().random_sample(deck, n)", "faker", FEW, "faker"),
    _python("jax.random.permutation(key, n)", "jax", SOME, "jax", **_branch(_SORTS, 1_625, 1_626)),
    _python("numpy.random.shuffle(deck), compiled", "numba", VERY_FEW, "numba"),
    _python("torch.randperm(n)", "torch", VERY_FEW, "torch", f"zcat {_TORCHES}/doc/python3-torch/changelog.Debian.gz"),
    _python("tf.random.shuffle(deck)", "tf.random.shuffle", VERY_FEW, "tensorflow-cpu"),
    _python("Dataset.range(n).shuffle(n)", "tf.data", VERY_FEW, "tensorflow-cpu"),
    _python("index_shuffle(cards, seed, last)", "tf.index_shuffle", VERY_FEW, "tensorflow-cpu", **_CIPHER),
    _python("MapDataset.range(n).shuffle(seed)", "grain", VERY_FEW, "grain", **_CIPHER),
    _python("SELECT ... ORDER BY random()", "sqlite", VERY_FEW, "SQLite", _SQLITE),
    _python("SELECT ... ORDER BY random()", "duckdb", SOME, "duckdb"),
    _text("SQL", "PostgreSQL", "SELECT ... ORDER BY random()", _POSTGRES, f"{_POSTGRESQL}/postgres --version"),
    _python("random.sample(range(n), 5)", "random.sample 5", **{**_sample(), **_branch(_SET, 21, 22, among=SAMPLED)}),
    _python("default_rng().choice(n, 5, replace=False)", "choice 5", package="numpy", **_sample()),
    _python("Series.sample(5)", "pandas 5", package="pandas", **_sample()),
    _python("Series.sample(5)", "polars 5", package="polars", **_sample("set:5")),
    _python("dask.bag.random.sample(bag of 4 parts, 5)", "dask.bag 5", package="dask", **_sample("set:5", FEW // 20)),
    _node(_DRAWN + "Math.random()", "Math.random", MANY),
    _node(_DRAWN + "crypto.randomInt()", "crypto.randomInt", SOME),
    _node("deck.sort(() => 0.5 - Math.random())", "sort by a random comparison", SOME, **_SORTED),
    _npm("lodash"),
    _npm("underscore"),
    _npm("d3-array"),
    _npm("fast-shuffle", decks=MANY),
    _npm("knuth-shuffle-seeded"),
    _npm("array-shuffle"),
    _npm("random-js", "new Random().shuffle(deck)"),
    _npm("remeda"),
    _npm("chance", "new Chance().shuffle(deck)"),
    _npm("@faker-js/faker", "faker.helpers.shuffle(deck)"),
    _npm("pandemonium"),
    _npm("radash"),
    _npm("es-toolkit"),
    _npm("crypto-shuffle", decks=FEW),
    _npm("fisher-yates"),
    _npm("simple-statistics"),
    _npm("just-shuffle"),
    _npm("collect.js", "collect(deck).shuffle()"),
    _npm("secure-shuffle", decks=VERY_FEW),
    _npm("gsap", "gsap.utils.shuffle(deck)", **_SORTED),
    _npm("@vitest/utils", "shuffle(deck, seed)"),
    _npm("lodash", "sampleSize(deck, 5)", name="lodash 5", **_sample("set:5")),
    _npm("underscore", "sample(deck, 5)", name="underscore 5", **_sample("set:5")),
    _cpp("std::shuffle, mt19937", "mt19937", decks=MANY, **_branch(_TWO, 65_535, 65_536)),
    _cpp("std::shuffle, mt19937_64", "mt19937_64", decks=MANY),
    _cpp("std::shuffle, minstd_rand", "minstd_rand", **_branch(_TWO, 46_340, 46_341)),
    _cpp("std::shuffle, minstd_rand0", "minstd_rand0"),
    _cpp("std::shuffle, ranlux24", "ranlux24", **_branch(_TWO, 4_095, 4_096)),
    _cpp("std::shuffle, knuth_b", "knuth_b"),
    _cpp("std::shuffle, random_device", "random_device", decks=FEW),
    _cpp("std::random_shuffle (removed in C++17)", "random_shuffle"),
    _cpp("std::sample of 5, mt19937", "sample 5", **_sample("set:5")),
    _cpp("std::shuffle, mt19937", "mt19937", "libc++"),
    _cpp("std::shuffle, mt19937_64", "mt19937_64", "libc++", MANY),
    _cpp("std::shuffle, minstd_rand", "minstd_rand", "libc++"),
    *(_thrust(package, "thrust::shuffle") for package in THRUST),
    _thrust("CCCL for CUDA 13.3", "make_shuffle_iterator"),
    Row(
        "C",
        "GSL",
        "gsl_ran_shuffle, mt19937",
        f"{BUILD}/shuffles-gsl {{cards}} gsl_ran_shuffle",
        f"sed -n 's/^#define GSL_VERSION//p' {UNPACKED}/usr/include/gsl/gsl_version.h",
    ),
    _c(_DRAWN + "rand() % n", "rand() % n"),
    _c(_DRAWN + "random(), scaled", "random() scaled"),
    _c(_DRAWN + "drand48()", "drand48()"),
    _rust("deck.shuffle(&mut thread_rng())", "thread_rng", "rand", MANY),
    _rust("deck.shuffle(&mut SmallRng)", "SmallRng", "rand"),
    _rust("deck.shuffle(&mut OsRng)", "OsRng", "rand"),
    _rust("fastrand::shuffle(deck)", "fastrand", "fastrand"),
    _rust("tls_rng().shuffle(deck)", "nanorand", "nanorand"),
    _rust("seq::index::sample(rng, n, 5)", "sample-5", "rand", **_sample()),
    _rust("seq::index::sample(rng, n, 13)", "sample-13", "rand", **_sample("top:13")),
    _java("Collections.shuffle(deck)", "Collections.shuffle", MANY),
    _java("Collections.shuffle(deck, new SecureRandom())", "SecureRandom", FEW),
    _java("Collections.shuffle(deck, ThreadLocalRandom)", "ThreadLocalRandom"),
    _java(_DRAWN + "SplittableRandom", "SplittableRandom", SOME),
    _java(_DRAWN + "L64X128MixRandom", "L64X128MixRandom", SOME),
    _java("ArrayUtils.shuffle(deck)", "commons-lang3", SOME, "commons-lang3"),
    _java("MathArrays.shuffle(deck)", "commons-math3", SOME, "commons-math3"),
    _text("Scala", "scala-library", "Random.shuffle(deck)", f"{_JAVA} Scala", "jar:scala-library"),
    _text("Clojure", "clojure", "(shuffle deck)", f"{_JAVA} clojure.main {HERE}/shuffles.clj", "jar:clojure"),
    Row("Elixir", "elixir", "Enum.shuffle(deck)", f"{_ELIXIR} {HERE}/shuffles.exs {{cards}}", _VSN, VERY_FEW),
    Row("Go", "math/rand", "rand.Shuffle(n, swap)", f"{BUILD}/shuffles-go {{cards}}", "go version"),
    Row("Go", "math/rand", "rand.Perm(n)", f"{BUILD}/shuffles-go {{cards}} Perm", "go version", VERY_FEW),
    _sharp("deck.OrderBy(card => Guid.NewGuid())", "Guid"),
    _sharp("deck.OrderBy(card => random.Next())", "OrderBy"),
    _sharp(_DRAWN + "Random.Next(n)", "Random"),
    Row(
        "Perl",
        "List::Util",
        "shuffle(@deck)",
        f"perl {HERE}/shuffles.pl {{cards}}",
        _PERL,
        MANY,
    ),
    Row("Perl", "List::Util", "sample(5, @deck)", f"perl {HERE}/shuffles.pl {{cards}} 5", _PERL, **_sample()),
    *(
        Row("PHP", "php", calls, f"{_PHP} {HERE}/shuffles.php {{cards}} {name}", f"{_PHP} -v", **more)
        for calls, name, more in (
            ("shuffle($deck)", "shuffle", {}),
            ("str_shuffle($deck)", "str_shuffle", {}),
            ("(new Random\\Randomizer)->shuffleArray($deck)", "Randomizer", {}),
            ("array_rand($deck, 5)", "array_rand", _NEGATIVE),
        )
    ),
    *(
        Row("Ruby", "ruby", f"deck.{call}", f"{_RUBY} {HERE}/shuffles.rb {{cards}} '{call}'", f"{_RUBY} -v", **more)
        for call, more in (("shuffle", {}), ("sample(3)", _sample("top:3")), ("sample(13)", _sample("top:13")))
    ),
    Row("R", "base R", "sample.int(n)", f"{_R} {_SAMPLES} {{cards}} {{cards}}", f"{_R} --version", FEW),
    Row("R", "base R", "sample.int(n, 5)", f"{_R} {_SAMPLES} {{cards}} 5", f"{_R} --version", **_sample()),
    *(
        Row(
            "Lua",
            package,
            _DRAWN + "math.random",
            f"{_BIN}/{command} {HERE}/shuffles.lua {{cards}}",
            f"{_BIN}/{command} -v",
            SOME,
        )
        for package, command in (("Lua 5.4", "lua5.4"), ("Lua 5.1", "lua5.1"), ("LuaJIT", "luajit"))
    ),
    _awk("mawk", "mawk", "mawk -W version", FEW),
    _awk("gawk", f"{_BIN}/gawk", f"{_BIN}/gawk --version", FEW),
    _awk("one true awk", f"{_BIN}/original-awk", f"{_BIN}/original-awk --version", FEW),
    _awk("busybox", f"{_BUSYBOX} awk", str(_BUSYBOX), FEW),
    _shell("bash", f"bash {HERE}/shuffles.bash", "bash --version"),
    _shell("zsh", f"{UNPACKED}/bin/zsh -f -o ksharrays {HERE}/shuffles.bash", f"{UNPACKED}/bin/zsh -f --version"),
    _shell("ksh", f"{UNPACKED}/bin/ksh93 {HERE}/shuffles.bash", f"{UNPACKED}/bin/ksh93 -c 'echo $KSH_VERSION'"),
    _lines("coreutils", "shuf", "shuf --version"),
    _lines("coreutils", "shuf -n 5", "shuf --version", **_sample(decks=FEW // 20)),
    _lines("coreutils", "sort -R", "sort --version"),
    _lines("busybox", f"{_BUSYBOX} shuf", str(_BUSYBOX)),
    Row("Scheme", "Guile", _DRAWN + "random", f"{_GUILE} {HERE}/shuffles.scm {{cards}}", f"{_GUILE} --version", FEW),
    Row(
        "Common Lisp",
        "SBCL",
        _DRAWN + "random",
        f"{_LISP} --script {HERE}/shuffles.lisp {{cards}}",
        f"{_LISP} --version",
        SOME,
    ),
    Row(
        "OCaml",
        "Stdlib",
        _DRAWN + "Random.int",
        f"{BUILD}/shuffles-ocaml {{cards}}",
        f"{_BIN}/ocamlopt.opt -version",
        SOME,
    ),
    Row("Nim", "std/random", "shuffle(deck)", f"{BUILD}/shuffles-nim {{cards}}", f"{_BIN}/nim --version", SOME),
    _text("Prolog", "SWI-Prolog", "random_permutation(Sorted, Deck)", _DEALT, f"{_PROLOG} --version", FEW),
    _text("Tcl", "tclsh", _DRAWN + "rand()", f"tclsh {HERE}/shuffles.tcl", "echo 'puts $tcl_patchLevel' | tclsh", FEW),
)

# What builds the programs that must be compiled. What fails is told; its rows then do not run.
BUILDS = {
    "g++": f"g++ -std=c++17 -w -O2 -o {BUILD}/shuffles-g++ {HERE}/shuffles.cpp",
    "libc++": (
        f"{CLANG}/bin/clang++ -std=c++17 -w -O2 -nostdinc++ -isystem {CLANG}/include/c++/v1 -nostdlib++ "
        f"-o {BUILD}/shuffles-clang {HERE}/shuffles.cpp -L{CLANG}/lib -l:libc++.so.1 -l:libc++abi.so.1"
    ),
    **{
        package: (
            f"g++ -std=c++17 -w -O2 -DWITH_THRUST -DTHRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_CPP -isystem {headers} "
            f"-o {BUILD}/shuffles-{package.split()[-1]} {HERE}/shuffles.cpp"
        )
        for package, headers in THRUST.items()
    },
    "GSL": (
        f"g++ -std=c++17 -w -O2 -DWITH_GSL -isystem {UNPACKED}/usr/include -o {BUILD}/shuffles-gsl {HERE}/shuffles.cpp "
        f"-L{UNPACKED}/usr/lib/x86_64-linux-gnu -lgsl -lgslcblas"
    ),
    "Rust": (
        f"cargo build --quiet --release --offline --manifest-path {HERE}/rust/Cargo.toml --target-dir {BUILD}/rust "
        f"--config 'source.crates-io.replace-with=\"debian\"' "
        f"--config 'source.debian.directory=\"{UNPACKED}/usr/share/cargo/registry\"' "
        f"&& cp {BUILD}/rust/release/shuffles {BUILD}/shuffles-rust"
    ),
    "Java": f"javac -d {BUILD} {HERE}/Shuffles.java",
    "Scala": f"java -cp '{JARS}' scala.tools.nsc.Main -usejavacp -d {BUILD} {HERE}/Shuffles.scala",
    "C#": f"mcs -out:{BUILD}/shuffles.exe {HERE}/shuffles.cs",
    "Go": f"go build -o {BUILD}/shuffles-go {HERE}/shuffles.go",
    "OCaml": (
        f"cp {HERE}/shuffles.ml {BUILD} && env OCAMLLIB={UNPACKED}/usr/lib/ocaml {_BIN}/ocamlopt.opt "
        f"-o {BUILD}/shuffles-ocaml {BUILD}/shuffles.ml"
    ),
    "Nim": (
        f"{_BIN}/nim compile --hints:off -d:release --lib:{UNPACKED}/usr/lib/nim/lib {_NIM} --nimcache:{BUILD}/nim "
        f"-o:{BUILD}/shuffles-nim {HERE}/shuffles.nim"
    ),
}

# Why a row failed, as read in the package itself.
WHY = {
    ("Python", "tensorflow-cpu"): "Its key has 16 bits: at most 65,536 orders come.",
    ("Python", "grain"): "Some seeds leave most items in place.",
    ("Python", "dask"): "Each part has too even a share.",
    ("JavaScript", "fast-shuffle"): "Each call seeds a generator with 32 bits: decks come again.",
    ("JavaScript", "crypto-shuffle"): "It takes a random byte modulo the cards left.",
    **dict.fromkeys(
        (("C++", package) for package in THRUST),
        "Each round of its cipher is an even order: one parity comes too often.",
    ),
    ("Java", "commons-math3"): "Each call seeds a generator with the millisecond and an identity hash.",
}

# The pages that tell more of a fault.
FINDINGS = {
    **dict.fromkeys(THRUST, "cccl"),
    **dict.fromkeys(("tensorflow-cpu", "grain"), "index-shuffle"),
    **dict.fromkeys(("gsap", "nanorand"), "two-old-mistakes"),
    **dict.fromkeys(("glibc", "zsh", "Lua 5.1", "mawk", "one true awk", "tclsh", "@vitest/utils"), "generators"),
    **{name: name for name in ("dask", "fast-shuffle", "crypto-shuffle")},
    "List::Util": "list-util",
}

# What was meant to be here and is not: the reason is told on the page.
LEFT_OUT = (
    ("Python", "tinygrad", "it found no device"),
    ("C++", "Microsoft's library", "runs on Windows only"),
    ("Kotlin, Swift, Julia, Haskell", "their standard libraries", "not tried"),
)
