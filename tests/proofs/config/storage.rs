use housekey::storage::{DiskConfig, S3Config};
use housekey::{StorageConfig, default, env};

pub fn storage() -> StorageConfig {
    StorageConfig { default: "films".into(), ..default() }.with(
        "films",
        DiskConfig::s3(S3Config {
            bucket: env("S3_BUCKET", "films"),
            endpoint: Some(env("S3_ENDPOINT", "http://127.0.0.1:9000")),
            access_key_id: env("S3_ACCESS_KEY_ID", ""),
            secret_access_key: env("S3_SECRET_ACCESS_KEY", ""),
            ..default()
        }),
    )
}
