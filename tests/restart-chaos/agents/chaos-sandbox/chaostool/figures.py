"""Figures about a list of numbers. Each takes at least one number."""


def mean(numbers):
    return sum(numbers) / len(numbers)


def median(numbers):
    ordered = sorted(numbers)
    middle = len(ordered) // 2
    if len(ordered) % 2 == 1:
        return ordered[middle]
    return (ordered[middle] + ordered[-middle]) / 2


def spread(numbers):
    return max(numbers) - min(numbers)
