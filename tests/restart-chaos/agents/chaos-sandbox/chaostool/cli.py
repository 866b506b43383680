"""The command line: one subcommand per figure, input on standard input."""

import argparse

from chaostool.figures import mean, median, spread
from chaostool.words import top_words

FIGURES = {"mean": mean, "median": median, "spread": spread}


def build_parser():
    parser = argparse.ArgumentParser(prog="chaostool", description="Says a few things about numbers or words.")
    commands = parser.add_subparsers(dest="command", required=True)
    for name in FIGURES:
        commands.add_parser(name, help=f"the {name} of the numbers, one a line")
    top = commands.add_parser("top", help="the most frequent words")
    top.add_argument("--limit", type=int, default=3)
    return parser


def main(arguments, source, target):
    options = build_parser().parse_args(arguments)
    text = source.read()
    if options.command == "top":
        for word, count in top_words(text, options.limit):
            target.write(f"{count} {word}\n")
        return 0
    numbers = [float(line) for line in text.split()]
    if not numbers:
        target.write("no numbers\n")
        return 1
    target.write(f"{FIGURES[options.command](numbers):g}\n")
    return 0
