import sys

from chaostool.cli import main

sys.exit(main(sys.argv[1:], sys.stdin, sys.stdout))
