//! From when to when a key signs, and until when it is published.

use time::{Duration, OffsetDateTime};

use super::JwtOptions;
use super::row::KeyRow;

impl KeyRow {
    /// Whether new tokens may be signed with it.
    pub(super) fn signs(&self, rows: &[Self], options: &JwtOptions, now: OffsetDateTime) -> bool {
        self.alg(options) == options.algorithm.name()
            && self.ends_at(options).is_none_or(|end| now < end)
            && self.is_published(rows, options, now)
    }

    /// When it signs no more. A key from before there was rotation has its time too.
    pub(super) fn ends_at(&self, options: &JwtOptions) -> Option<OffsetDateTime> {
        let interval = options.rotation_interval.map(|seconds| Duration::seconds(i64::from(seconds)));
        self.expires_at.or_else(|| Some(self.created_at + interval?))
    }

    /// Whether tokens that were signed with it can still be checked.
    pub(super) fn is_published(&self, rows: &[Self], options: &JwtOptions, now: OffsetDateTime) -> bool {
        let grace = Duration::seconds(i64::from(options.grace_period));
        self.retired_at(rows, options).is_none_or(|retired| now < retired + grace)
    }

    /// When it ended, or will. One without an end has it when a newer one takes its place: because nobody can open the old one,
    /// or because the algorithm is another. Nobody writes that down, so that processes with different secrets do not end each
    /// other's keys for ever.
    fn retired_at(&self, rows: &[Self], options: &JwtOptions) -> Option<OffsetDateTime> {
        let takes_its_place = |newer: &&Self| {
            let alg = newer.alg(options);
            newer.created_at > self.created_at
                && (alg == self.alg(options) || alg == options.algorithm.name())
        };
        self.expires_at.or_else(|| rows.iter().filter(takes_its_place).map(|newer| newer.created_at).min())
    }
}
