use std::collections::VecDeque;
use std::time::Duration;

use housekey_core::random;
use time::OffsetDateTime;

/// So many are remembered; then the oldest are forgotten.
const MOST: usize = 1000;

/// What was handed out under a random name, for a while.
pub(super) struct Grants<T> {
    life: Duration,
    given: VecDeque<Grant<T>>,
}

struct Grant<T> {
    name: String,
    until: OffsetDateTime,
    what: T,
}

impl<T> Grants<T> {
    pub(super) const fn lasting(life: Duration) -> Self {
        Self { life, given: VecDeque::new() }
    }

    pub(super) fn life(&self) -> Duration {
        self.life
    }

    /// Hands something out; answers its name.
    pub(super) fn give(&mut self, what: T, now: OffsetDateTime) -> String {
        if self.given.len() >= MOST {
            self.given.pop_front();
        }
        let name = random::token();
        self.given.push_back(Grant { name: name.clone(), until: now + self.life, what });
        name
    }

    pub(super) fn find(&self, name: &str, now: OffsetDateTime) -> Option<&T> {
        self.given.iter().find(|grant| grant.name == name && now < grant.until).map(|grant| &grant.what)
    }

    /// What has this name, which nothing has from now on.
    pub(super) fn take(&mut self, name: &str, now: OffsetDateTime) -> Option<T> {
        let at = self.given.iter().position(|grant| grant.name == name)?;
        self.given.remove(at).filter(|grant| now < grant.until).map(|grant| grant.what)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_taken_or_has_run_out_or_is_too_old_is_not_there() {
        let now = OffsetDateTime::UNIX_EPOCH;
        let mut grants = Grants::lasting(Duration::from_secs(60));
        let first = grants.give(1, now);
        assert_eq!(grants.find(&first, now), Some(&1));
        assert_eq!(grants.take(&first, now), Some(1));
        assert_eq!(grants.take(&first, now), None);
        let second = grants.give(2, now);
        assert_eq!(grants.take(&second, now + Duration::from_secs(60)), None);
        let third = grants.give(3, now);
        for other in 0..MOST {
            grants.give(other, now);
        }
        assert_eq!(grants.find(&third, now), None);
    }
}
