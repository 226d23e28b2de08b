//! How many tests a program ran, read from the closing lines of the runners in use here.

use std::ops::AddAssign;

/// Tests passed and failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
}

impl Count {
    /// A check that is one thing: formatting is right or it is not.
    pub(crate) const ONE: Self = Self { passed: 1, failed: 0 };

    /// Reads what nextest, libtest, node's own runner and vitest print at their end.
    pub(crate) fn read(output: &str) -> Self {
        let mut total = Self::default();
        for line in plain(output).lines() {
            total += closing_line(line).unwrap_or_default();
        }
        total
    }
}

impl AddAssign for Count {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

fn closing_line(line: &str) -> Option<Count> {
    // libtest, once per binary: `test result: ok. 12 passed; 0 failed; 0 ignored; …`. Further in, it is what nextest shows of a
    // test that failed, which nextest counts itself.
    if let Some(counts) = line.strip_prefix("test result:") {
        return Some(words(counts));
    }
    let line = line.trim();
    // nextest: `Summary [ 0.1s] 12 tests run: 11 passed (1 slow), 1 failed, 0 skipped`
    if let Some(rest) = line.strip_prefix("Summary [") {
        let (_, counts) = rest.split_once("run:")?;
        return Some(words(counts));
    }
    // vitest: `Tests  1 failed | 4 passed (5)`
    if let Some(counts) = line.strip_prefix("Tests  ") {
        return Some(words(counts));
    }
    // node --test: `# pass 5` (tap) or `ℹ pass 5` (spec)
    let (mark, rest) = line.split_once(' ')?;
    let (word, number) = rest.split_once(' ')?;
    let number = number.parse().ok().filter(|_| mark == "#" || mark == "ℹ")?;
    match word {
        "pass" => Some(Count { passed: number, failed: 0 }),
        "fail" | "cancelled" => Some(Count { passed: 0, failed: number }),
        _ => None,
    }
}

/// Adds up `12 passed`, `1 failed`, `1 timed out` wherever they stand.
fn words(text: &str) -> Count {
    let mut count = Count::default();
    let words: Vec<&str> =
        text.split(|letter: char| !letter.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
    for pair in words.windows(2) {
        let Ok(number) = pair[0].parse::<u64>() else { continue };
        match pair[1] {
            "passed" => count.passed += number,
            // nextest: `2 timed out`, `1 exec failed`
            "failed" | "timed" | "exec" => count.failed += number,
            _ => {}
        }
    }
    count
}

/// The text without terminal colours.
pub(crate) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        if letter == '\u{1b}' {
            letters.by_ref().find(char::is_ascii_alphabetic);
        } else {
            out.push(letter);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nextest_is_understood_also_in_colour() {
        let output = "\u{1b}[32;1m     Summary\u{1b}[0m [   1.2s] 14 tests run: 11 passed (2 slow), 2 failed, 1 timed out, 3 skipped";
        assert_eq!(Count::read(output), Count { passed: 11, failed: 3 });
    }

    #[test]
    fn what_nextest_shows_of_a_failure_is_not_counted_again() {
        let output = "        FAIL [ 0.1s] app::http it_works\n    test result: FAILED. 0 passed; 1 failed; 0 ignored\n\
                      \x20    Summary [ 0.1s] 2 tests run: 1 passed, 1 failed, 0 skipped";
        assert_eq!(Count::read(output), Count { passed: 1, failed: 1 });
    }

    #[test]
    fn every_binary_of_libtest_is_added() {
        let output = "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured\n\
                      test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured";
        assert_eq!(Count::read(output), Count { passed: 4, failed: 2 });
    }

    #[test]
    fn both_reporters_of_node_are_understood() {
        assert_eq!(
            Count::read("# tests 6\n# pass 5\n# fail 1\n# cancelled 0"),
            Count { passed: 5, failed: 1 }
        );
        assert_eq!(Count::read("ℹ tests 6\nℹ pass 6\nℹ fail 0"), Count { passed: 6, failed: 0 });
    }

    #[test]
    fn vitest_counts_tests_not_files() {
        let output = " Test Files  1 passed (1)\n      Tests  1 failed | 4 passed (5)";
        assert_eq!(Count::read(output), Count { passed: 4, failed: 1 });
    }

    #[test]
    fn other_words_count_nothing() {
        assert_eq!(Count::read("3 passed through here\nSummary of 4 passed"), Count::default());
    }
}
