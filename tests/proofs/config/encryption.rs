use housekey::{EncryptionConfig, default, env};

pub fn encryption() -> EncryptionConfig {
    EncryptionConfig { key: env("APP_KEY", ""), ..default() }
}
