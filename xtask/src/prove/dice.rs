use std::time::{SystemTime, UNIX_EPOCH};

/// Chance that can be repeated: the same seed gives the same numbers (xorshift64*).
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        // Nothing ever comes of a zero.
        Self(seed.max(1))
    }

    /// A seed that was not there before.
    pub(super) fn seed() -> u64 {
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |since| since.as_nanos() as u64)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// Between these two, the second not among them.
    pub(super) fn between(&mut self, from: u64, to: u64) -> u64 {
        from + self.next() % (to - from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_numbers() {
        let numbers = |seed| {
            let mut dice = Dice::new(seed);
            [dice.between(3, 9), dice.between(3, 9), dice.next()]
        };
        assert_eq!(numbers(7), numbers(7));
        assert_ne!(numbers(7), numbers(8));
        assert!((3..9).contains(&numbers(0)[0]));
    }
}
