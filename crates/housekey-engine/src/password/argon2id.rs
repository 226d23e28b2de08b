//! Argon2id in the PHC text form: `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>`.

use argon2::{Algorithm, Argon2, Params, Version};
use data_encoding::BASE64_NOPAD;

use super::pool::Scratch;
use crate::random;
use crate::secret::same;

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

struct Stored {
    cost: Cost,
    salt: Vec<u8>,
    hash: Vec<u8>,
}

/// Whether a stored hash is of this kind.
pub(super) fn recognises(stored: &str) -> bool {
    stored.starts_with(PREFIX)
}

/// Whether a stored hash has today's cost.
pub(super) fn is_current(stored: &str) -> bool {
    parse(stored).is_some_and(|stored| stored.cost == CURRENT)
}

pub(super) fn hash(password: &str, scratch: &mut Scratch) -> Option<String> {
    let salt = random::bytes::<16>();
    let mut output = [0; 32];
    derive(CURRENT, password, &salt, &mut output, scratch)?;
    let Cost { memory, passes, lanes } = CURRENT;
    let (salt, hash) = (BASE64_NOPAD.encode(&salt), BASE64_NOPAD.encode(&output));
    Some(format!("{PREFIX}v=19$m={memory},t={passes},p={lanes}${salt}${hash}"))
}

pub(super) fn verify(password: &str, stored: &str, scratch: &mut Scratch) -> bool {
    let Some(stored) = parse(stored) else { return false };
    let mut output = vec![0; stored.hash.len()];
    derive(stored.cost, password, &stored.salt, &mut output, scratch).is_some() && same(&output, &stored.hash)
}

fn derive(cost: Cost, password: &str, salt: &[u8], output: &mut [u8], scratch: &mut Scratch) -> Option<()> {
    let params = Params::new(cost.memory, cost.passes, cost.lanes, Some(output.len())).ok()?;
    let blocks = scratch.blocks(params.block_count());
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    argon2.hash_password_into_with_memory(password.as_bytes(), salt, output, blocks).ok()
}

fn parse(stored: &str) -> Option<Stored> {
    let mut parts = stored.strip_prefix(PREFIX)?.split('$');
    if parts.next()? != "v=19" {
        return None;
    }
    let mut costs = parts.next()?.split(',');
    let mut cost = |name: &str| costs.next()?.strip_prefix(name)?.parse::<u32>().ok();
    let cost = Cost { memory: cost("m=")?, passes: cost("t=")?, lanes: cost("p=")? };
    let salt = BASE64_NOPAD.decode(parts.next()?.as_bytes()).ok()?;
    let hash = BASE64_NOPAD.decode(parts.next()?.as_bytes()).ok()?;
    let sane = cost.memory <= MOST_MEMORY && cost.passes <= 16 && cost.lanes <= 16 && hash.len() >= 16;
    (sane && parts.next().is_none()).then_some(Stored { cost, salt, hash })
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
