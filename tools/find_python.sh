#!/bin/sh
# Print the path of a Python that Gossamer runs on and that can make an environment; else say what is missing, in one line.
# An argument is the only one to try. Each is started: a name on the path may be a stub that starts none (pyenv).

LOOK='
import sys
if sys.version_info[:2] in ((3, 11), (3, 12), (3, 13)):
    try:
        import ensurepip, venv
        print("usable")
    except ImportError:
        print("python%d.%d" % sys.version_info[:2])
'
bare=
for one in ${1:-python3.11 python3.12 python3.13 python3 python}; do
    found=$("$one" -c "$LOOK" 2> /dev/null)
    if [ "$found" = usable ]; then
        command -v "$one"
        exit 0
    fi
    bare=${bare:-$found}
done
if [ -n "$bare" ]; then
    echo "$bare cannot make an environment: install its modules venv and ensurepip (on Debian and Ubuntu: apt-get install $bare-venv)" >&2
elif [ -n "$1" ]; then
    echo "PYTHON=$1 is no Python 3.11, 3.12 or 3.13 that can be started; name another, or leave PYTHON out to have one found" >&2
else
    echo "no Python 3.11, 3.12 or 3.13 is on the path; install one, or name it: make PYTHON=/path/to/python3" >&2
fi
exit 1
