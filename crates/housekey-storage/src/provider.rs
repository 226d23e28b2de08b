use housekey_core::{Error, Result};
use housekey_http::{Provider, Registrar};

use crate::{Storage, StorageConfig, served};

/// Brings the disks of `config/storage.rs` into an app, and serves the public ones.
///
/// ```
/// use housekey_core::ConfigFiles;
/// use housekey_http::App;
/// use housekey_storage::StorageProvider;
///
/// let app = App::new(ConfigFiles::new()).provider(StorageProvider);
/// # drop(app);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct StorageProvider;

impl Provider for StorageProvider {
    fn name(&self) -> &'static str {
        "storage"
    }

    fn register(&self, app: &mut Registrar<'_>) -> Result<()> {
        let config = app.config().get::<StorageConfig>();
        let storage = Storage::new(&config, app.paths())?;
        for disk in storage.disks() {
            match disk.served_at() {
                Some("") => {
                    return Err(Error::internal(format!(
                        "the disk `{}` cannot be served at `/`; give it a path of its own in config/storage.rs",
                        disk.name()
                    )));
                }
                Some(_) => served::public(disk, app.routes()),
                None => {}
            }
            served::signed(disk, app.routes());
            // spec: DAT-4
            if let Some(Err(error)) = disk.local().map(|folder| folder.drafts().sweep()) {
                app.warn(format!(
                    "unfinished files on the disk `{}` could not be removed: {error}",
                    disk.name()
                ));
            }
        }
        app.services().insert(storage);
        Ok(())
    }
}
