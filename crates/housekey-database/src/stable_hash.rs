//! A number made of bytes that is the same in every build.

/// FNV-1a. The standard hasher does not promise to give the same number tomorrow; what a database keeps has to.
pub(crate) fn stable_hash(bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes
        .into_iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}
