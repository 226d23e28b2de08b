use housekey::storage::DiskConfig;
use housekey::{StorageConfig, default, env};

/// The disks for files the app keeps.
pub fn storage() -> StorageConfig {
    StorageConfig {
        // The one that is meant when none is named.
        default: env("STORAGE_DISK", "local"),
        ..default()
    }
    // Only the app itself reads these.
    .with("local", DiskConfig::private("storage/app/private"))
    // Anyone can fetch these at /storage/…
    .with("public", DiskConfig::public("storage/app/public", "/storage"))
}
