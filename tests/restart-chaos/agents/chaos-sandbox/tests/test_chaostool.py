import io
import unittest

from chaostool.cli import main
from chaostool.figures import mean, median, spread
from chaostool.words import top_words


class Figures(unittest.TestCase):
    def test_mean(self):
        self.assertEqual(mean([1, 2, 6]), 3)

    def test_median_of_an_odd_count_is_the_middle_number(self):
        self.assertEqual(median([9, 1, 5]), 5)

    def test_median_of_one_number_is_that_number(self):
        self.assertEqual(median([4]), 4)

    def test_median_of_an_even_count_is_the_mean_of_the_two_middle_numbers(self):
        self.assertEqual(median([10, 1, 2, 4]), 3)
        self.assertEqual(median([1, 2]), 1.5)
        self.assertEqual(median([6, 5, 4, 3, 2, 1]), 3.5)

    def test_spread(self):
        self.assertEqual(spread([3, 9, 4]), 6)


class Words(unittest.TestCase):
    def test_top_words_are_ordered_by_count_and_then_by_letter(self):
        self.assertEqual(top_words("b a B c a d", 3), [("a", 2), ("b", 2), ("c", 1)])


class CommandLine(unittest.TestCase):
    def run_command(self, arguments, text):
        target = io.StringIO()
        code = main(arguments, io.StringIO(text), target)
        return code, target.getvalue()

    def test_mean(self):
        self.assertEqual(self.run_command(["mean"], "1\n2\n"), (0, "1.5\n"))

    def test_top(self):
        self.assertEqual(self.run_command(["top", "--limit", "1"], "x y x"), (0, "2 x\n"))

    def test_no_numbers(self):
        self.assertEqual(self.run_command(["spread"], "\n"), (1, "no numbers\n"))


if __name__ == "__main__":
    unittest.main()
