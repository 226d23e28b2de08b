//! Argon2id in the PHC text form: `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>`.

use std::fmt;

use argon2::{Algorithm, Argon2, Params, Version};
use data_encoding::BASE64_NOPAD;

use super::pool::Scratch;
use crate::constant_time_eq;
use crate::random;

const PREFIX: &str = "$argon2id$";
/// The parameters that OWASP recommends for Argon2id.
const CURRENT: Cost = Cost { memory: 19_456, passes: 2, lanes: 1 };
/// Most memory (KiB) that a stored hash may ask for: a row must not be able to exhaust the machine.
const MOST_MEMORY: u32 = 256 * 1024;

#[derive(Clone, Copy, PartialEq, Eq)]
struct Cost {
    memory: u32,
    passes: u32,
    lanes: u32,
}

/// What stands in front of a hash: `$argon2id$v=19$m=19456,t=2,p=1$<salt>`.
pub(super) struct Settings {
    cost: Cost,
    salt: Vec<u8>,
}

/// Whether a stored hash is of this kind.
pub(super) fn recognises(stored: &str) -> bool {
    stored.starts_with(PREFIX)
}

/// Whether a stored hash has today's cost.
pub(super) fn is_current(stored: &str) -> bool {
    parse(stored).is_some_and(|(settings, _)| settings.cost == CURRENT)
}

pub(super) fn hash(password: &str, scratch: &mut Scratch) -> Option<String> {
    let settings = Settings::fresh();
    let mut output = [0; 32];
    settings.derive(password, &mut output, scratch)?;
    Some(format!("{settings}${}", BASE64_NOPAD.encode(&output)))
}

pub(super) fn verify(password: &str, stored: &str, scratch: &mut Scratch) -> bool {
    let Some((settings, hash)) = parse(stored) else { return false };
    let mut output = vec![0; hash.len()];
    settings.derive(password, &mut output, scratch).is_some() && constant_time_eq(&output, &hash)
}

fn parse(stored: &str) -> Option<(Settings, Vec<u8>)> {
    let (settings, hash) = stored.rsplit_once('$')?;
    let hash = BASE64_NOPAD.decode(hash.as_bytes()).ok()?;
    (hash.len() >= 16).then_some((Settings::parse(settings)?, hash))
}

impl Settings {
    /// Today's cost, and a salt that nothing else has.
    pub(super) fn fresh() -> Self {
        Self { cost: CURRENT, salt: random::bytes::<16>().to_vec() }
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut parts = text.strip_prefix(PREFIX)?.split('$');
        if parts.next()? != "v=19" {
            return None;
        }
        let mut costs = parts.next()?.split(',');
        let mut cost = |name: &str| costs.next()?.strip_prefix(name)?.parse::<u32>().ok();
        let cost = Cost { memory: cost("m=")?, passes: cost("t=")?, lanes: cost("p=")? };
        let salt = BASE64_NOPAD.decode(parts.next()?.as_bytes()).ok()?;
        let sane = cost.memory <= MOST_MEMORY && cost.passes <= 16 && cost.lanes <= 16;
        (sane && parts.next().is_none()).then_some(Self { cost, salt })
    }

    pub(super) fn derive(&self, password: &str, output: &mut [u8], scratch: &mut Scratch) -> Option<()> {
        let Cost { memory, passes, lanes } = self.cost;
        let params = Params::new(memory, passes, lanes, Some(output.len())).ok()?;
        let blocks = scratch.blocks(params.block_count());
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        argon2.hash_password_into_with_memory(password.as_bytes(), &self.salt, output, blocks).ok()
    }
}

impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Cost { memory, passes, lanes } = self.cost;
        let salt = BASE64_NOPAD.encode(&self.salt);
        write!(f, "{PREFIX}v=19$m={memory},t={passes},p={lanes}${salt}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_made_elsewhere_with_other_costs_is_verified_and_outdated() {
        // From the Argon2 reference implementation: echo -n password | argon2 somesalt -id -t 2 -k 65536 -p 1.
        let stored = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";
        let mut scratch = Scratch::default();
        assert!(verify("password", stored, &mut scratch));
        assert!(!verify("passwore", stored, &mut scratch));
        assert!(!is_current(stored));
    }
}
