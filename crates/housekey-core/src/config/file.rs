use std::any::{Any, TypeId};
use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::mode::Mode;
use super::rendering;
use crate::{Error, Result, env};

/// What a config function may return: anything that can be frozen as JSON and read back.
pub trait ConfigValue: Serialize + DeserializeOwned + Send + Sync + 'static {}

impl<T: Serialize + DeserializeOwned + Send + Sync + 'static> ConfigValue for T {}

/// One file of the `config/` folder. `housekey::config!()` makes these.
pub struct ConfigFile {
    name: &'static str,
    path: &'static str,
    load: Box<dyn Fn() -> Loaded + Send + Sync>,
    thaw: fn(&Value) -> serde_json::Result<Loaded>,
}

impl ConfigFile {
    /// A file by its name, its place and its function.
    pub fn new<T: ConfigValue>(
        name: &'static str,
        path: &'static str,
        function: impl Fn() -> T + Send + Sync + 'static,
    ) -> Self {
        Self {
            name,
            path,
            load: Box::new(move || Loaded::of(function())),
            thaw: |json| serde_json::from_value::<T>(json.clone()).map(Loaded::of),
        }
    }

    /// The name its values go by: `app` for `config/app.rs`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Where it lies, below the app's root.
    pub fn path(&self) -> &'static str {
        self.path
    }

    pub(super) fn load(&self) -> Loaded {
        env::in_file(self.path, &self.load)
    }

    pub(super) fn thaw(&self, json: &Value) -> Result<Loaded> {
        (self.thaw)(json).map_err(|error| {
            Error::from(error).context(format!(
                "the cached configuration of {} is from another build; run `housekey config:clear`",
                self.path
            ))
        })
    }
}

impl fmt::Debug for ConfigFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.path)
    }
}

#[derive(Debug, Default)]
pub struct ConfigFiles(Vec<ConfigFile>);

impl ConfigFiles {
    /// No files: every part of the framework uses its defaults.
    pub fn new() -> Self {
        Self::default()
    }

    pub fn with(mut self, file: ConfigFile) -> Self {
        self.0.push(file);
        self
    }

    /// The files, in the order they were added.
    pub fn iter(&self) -> impl Iterator<Item = &ConfigFile> {
        self.0.iter()
    }
}

/// A resolved value, its type forgotten but for what is needed to hand it out again.
#[derive(Clone)]
pub(super) struct Loaded {
    pub(super) type_id: TypeId,
    pub(super) value: Arc<dyn Any + Send + Sync>,
    render: fn(&(dyn Any + Send + Sync), Mode) -> Result<Value, String>,
}

impl Loaded {
    pub(super) fn of<T: ConfigValue>(value: T) -> Self {
        Self {
            type_id: TypeId::of::<T>(),
            value: Arc::new(value),
            render: |value, mode| match value.downcast_ref::<T>() {
                Some(value) => rendering::render(value, mode),
                None => Ok(Value::Null),
            },
        }
    }

    /// As JSON to be read back; fails with the dotted path of a function inside.
    pub(super) fn freeze(&self) -> Result<Value, String> {
        (self.render)(&*self.value, Mode::Freeze)
    }

    /// As JSON to be looked at: what cannot be written down shows as a placeholder.
    pub(super) fn show(&self, reveal: bool) -> Value {
        let mode = if reveal { Mode::ShowSecrets } else { Mode::Show };
        (self.render)(&*self.value, mode).unwrap_or_default()
    }
}
