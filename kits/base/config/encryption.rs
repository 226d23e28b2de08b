use housekey::{EncryptionConfig, env, env_list};

/// The key that protects what leaves the server and comes back.
pub fn encryption() -> EncryptionConfig {
    EncryptionConfig {
        // Encrypts sessions and signs cookies. Whoever has it can forge both, so it lives in the environment only.
        key: env("APP_KEY", ""),

        // To change the key without signing everybody out: put the old one here, separated by commas, until the
        // sessions made with it have expired.
        previous_keys: env_list("APP_PREVIOUS_KEYS"),
    }
}
