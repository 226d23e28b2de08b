/// What a `Range` header asks of a file of a known length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// Nothing we serve in part: the whole file is the right answer.
    Whole,
    /// One piece, both ends included.
    Part { first: u64, last: u64 },
    /// A piece that is not there: 416.
    Outside,
}

impl Range {
    /// Reads the header. Several ranges, other units and anything malformed mean the whole file, as RFC 9110 allows;
    /// answering several would let one small request cost many copies of the file.
    pub fn parse(header: &str, length: u64) -> Self {
        let Some((first, last)) = header.strip_prefix("bytes=").and_then(|spec| spec.trim().split_once('-'))
        else {
            return Self::Whole;
        };
        match (number(first), number(last)) {
            (Some(first), Some(last)) if first > last => Self::Whole,
            (Some(first), _) if first >= length && (last.is_empty() || number(last).is_some()) => {
                Self::Outside
            }
            (Some(first), Some(last)) => Self::Part { first, last: last.min(length - 1) },
            (Some(first), None) if last.is_empty() => Self::Part { first, last: length - 1 },
            (None, Some(suffix)) if first.is_empty() => match suffix.min(length) {
                0 => Self::Outside,
                suffix => Self::Part { first: length - suffix, last: length - 1 },
            },
            _ => Self::Whole,
        }
    }
}

/// Digits only: `parse` would take a sign.
fn number(text: &str) -> Option<u64> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn one_range_is_cut_to_the_file() {
        for (header, expected) in [
            ("bytes=0-0", Range::Part { first: 0, last: 0 }),
            ("bytes=2-", Range::Part { first: 2, last: 9 }),
            ("bytes=-3", Range::Part { first: 7, last: 9 }),
            ("bytes=-300", Range::Part { first: 0, last: 9 }),
            ("bytes=5-300", Range::Part { first: 5, last: 9 }),
            ("bytes=10-", Range::Outside),
            ("bytes=10-20", Range::Outside),
            ("bytes=-0", Range::Outside),
            ("bytes=5-2", Range::Whole),
            ("bytes=0-1,3-4", Range::Whole),
            ("bytes=-", Range::Whole),
            ("bytes=+1-2", Range::Whole),
            ("bytes=99999999999999999999-", Range::Whole),
            ("items=0-1", Range::Whole),
            ("", Range::Whole),
        ] {
            assert_eq!(Range::parse(header, 10), expected, "{header}");
        }
        assert_eq!(Range::parse("bytes=0-", 0), Range::Outside);
        assert_eq!(Range::parse("bytes=-1", 0), Range::Outside);
    }

    proptest! {
        #[test]
        fn no_header_reads_outside_the_file(header in "(bytes=)?[0-9+,x -]{0,24}", length in 0_u64..50) {
            if let Range::Part { first, last } = Range::parse(&header, length) {
                prop_assert!(first <= last && last < length);
            }
        }
    }
}
