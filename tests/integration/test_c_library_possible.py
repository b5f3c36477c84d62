"""What functions of the library do on a machine is possible in their models: conditions that hold in a program of gcc's
can hold, so that to assert their opposite is a bug. For models that leave open what they return."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from paddock.cli.main import main

HEAD = """\
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
static FILE *file;
static char text[64], *line;
static size_t room;
static struct timespec now;
static struct timeval today;
static struct tm day;
static time_t zero;
static int ends[2];
"""

# In this order: what is read has been written before.
FILES = (
    'getenv("PATH") != 0 && getenv("NO_SUCH_VARIABLE") == 0',
    'setenv("A", "b", 1) == 0 && unsetenv("A") == 0',
    'system("exit 0") == 0',
    "strlen(strerror(EINVAL)) > 3",
    "(srand(1), rand() >= 0) && (srandom(1), random() >= 0)",
    'fopen("no/such/file", "r") == 0 && errno == ENOENT',
    '(file = fopen("file", "w+")) != 0 && fileno(file) > 2',
    "setvbuf(file, 0, _IOFBF, 512) == 0",
    'fprintf(file, "%d %s\\n", 42, "word") == 8 && fputs("two\\n", file) >= 0',
    "fputc('x', file) == 'x' && putc('\\n', file) == '\\n' && fwrite(\"abc\", 1, 3, file) == 3",
    "ftell(file) == 17 && fflush(file) == 0 && fseek(file, 0, SEEK_SET) == 0",
    'fscanf(file, "%d %63s", ends, text) == 2 && ends[0] == 42 && strcmp(text, "word") == 0',
    "fgetc(file) == '\\n' && fgets(text, 64, file) == text && strcmp(text, \"two\\n\") == 0",
    "getline(&line, &room, file) == 2 && line[0] == 'x'",
    "ungetc('q', file) == 'q' && getc(file) == 'q' && fread(text, 1, 9, file) == 3 && text[2] == 'c'",
    "feof(file) && !ferror(file) && (clearerr(file), !feof(file)) && (rewind(file), ftell(file) == 0)",
    "fseeko(file, 2, SEEK_END) == 0 && fclose(file) == 0",
    'rename("file", "other") == 0 && remove("other") == 0 && remove("other") == -1',
    'puts("") >= 0 && putchar(\'\\n\') == \'\\n\' && printf("%s", "") == 0 && (perror(""), 1)',
)
CALLS = (
    '(ends[0] = creat("file", 0600)) >= 0 && write(ends[0], "abcd", 4) == 4 && pwrite(ends[0], "xy", 2, 4) == 2',
    "fsync(ends[0]) == 0 && lseek(ends[0], 1, SEEK_SET) == 1 && ftruncate(ends[0], 5) == 0 && close(ends[0]) == 0",
    "(ends[0] = open(\"file\", O_RDONLY)) >= 0 && pread(ends[0], text, 2, 3) == 2 && text[1] == 'x'",
    "read(ends[0], text, 9) == 5 && read(ends[0], text, 9) == 0 && dup(ends[0]) >= 0 && dup2(ends[0], 9) == 9",
    'close(-1) == -1 && errno == EBADF && access("file", R_OK) == 0 && unlink("file") == 0',
    "pipe(ends) == 0 && !isatty(ends[0]) && getpid() > 1 && getcwd(text, 64) == text",
    'rmdir("no") == -1 && chdir("no") == -1 && errno == ENOENT && usleep(1) == 0 && sleep(0) == 0',
    "send(-1, text, 1, 0) == -1 && recv(-1, text, 1, 0) == -1",
    "time(0) > 1000000 && clock() >= 0 && difftime(5, 3) == 2.0",
    "gettimeofday(&today, 0) == 0 && today.tv_usec < 1000000 && clock_gettime(CLOCK_REALTIME, &now) == 0",
    "timespec_get(&now, TIME_UTC) == TIME_UTC && (now.tv_sec = 0, now.tv_nsec = 9, nanosleep(&now, 0)) == 0",
    "gmtime_r(&zero, &day) == &day && day.tm_year == 70 && gmtime(&zero)->tm_mday == 1 && localtime(&zero) != 0",
    "localtime_r(&zero, &day) == &day && mktime(&day) == 0",
    "strftime(text, 64, \"%Y\", gmtime(&zero)) == 4 && text[0] == '1'",
    "asctime(&day)[24] == 10 && ctime(&zero)[24] == 10",
)
# Functions with an argument, whose value is what gcc's library computes.
NUMBERS = (
    "sin(1.0) cos(2.0) tan(-1.5) asin(0.5) acos(0.25) atan(-3.0) sinh(1.0) cosh(-1.0) tanh(0.5) exp(1.0) exp2(0.5) "
    "expm1(0.1) log(10.0) log2(10.0) log10(2.0) log1p(-0.5) cbrt(2.0) erf(0.5) tgamma(0.5) lgamma(0.5) "
    "sinf(1.0f) expf(2.0f) logf(3.0f) atan2(1.0,-2.0) pow(2.0,0.5) pow(-2.0,3.0) hypot(1.0,2.0)"
).split()


needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not there")


def run_by_gcc(text: str, folder: Path) -> str:
    """What a program prints whose assertions hold."""
    (folder / "real.c").write_text(text)
    subprocess.run(["gcc", "-w", "-fno-builtin", "real.c", "-o", "real", "-lm"], cwd=folder, check=True)
    ran = subprocess.run(["./real"], cwd=folder, check=True, capture_output=True, text=True)
    return ran.stdout


def is_possible(condition: str, folder: Path) -> bool:
    program = folder / "model.c"
    program.write_text(f"{HEAD}int main(void) {{ if ({condition}) assert(0); return 0; }}\n")
    return main(["check", str(program)]) == 1


@needs_gcc
@pytest.mark.parametrize("conditions", [FILES, CALLS], ids=["files", "calls"])
def test_on_the_machine(conditions: tuple[str, ...], tmp_path: Path) -> None:
    calls = "\n".join(f"  assert({condition});" for condition in conditions)
    run_by_gcc(f"{HEAD}int main(void) {{\n{calls}\n  return 0;\n}}\n", tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("condition", FILES + CALLS)
def test_in_the_model(condition: str, tmp_path: Path) -> None:
    assert is_possible(condition, tmp_path)


@needs_gcc
@pytest.mark.slow
@pytest.mark.parametrize("call", NUMBERS)
def test_numbers(call: str, tmp_path: Path) -> None:
    value = run_by_gcc(f'{HEAD}int main(void) {{ printf("%a", (double){call}); return 0; }}\n', tmp_path)
    assert is_possible(f"{call} == {value}", tmp_path)
