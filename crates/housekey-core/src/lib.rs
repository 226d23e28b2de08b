//! The ground floor of Housekey: what every other crate stands on, and nothing that knows about routes or pages.
//!
//! A short tour:
//!
//! - [`Error`] is the one error type. It knows the status and the sentence a client may see, and keeps what only
//!   the log may see apart.
//! - [`Env`] reads the process environment over an optional `.env` file; [`env()`] is the typed reader that the
//!   functions in an app's `config/` folder call.
//! - [`Config`] holds the typed values those functions return. It can be frozen as JSON ([`ConfigCache`]); a value
//!   that holds a function ([`Hook`]) cannot, and is read live.
//! - [`Encrypter`] seals and signs with `APP_KEY`; old keys keep opening what they sealed.
//! - [`Services`] is the typed registry of an application; [`Scope`] carries it, and what belongs to one request,
//!   along the task that serves it. Outside a request the ambient helpers answer empty.
//! - [`Background`] is work that no answer waits for; a process finishes it before it ends.
//! - [`translation`] speaks the visitor's language; the English sentence is the key.
//! - [`Clock`], [`random`] and [`Secret`] are small and used everywhere; the auth engine shares them.

pub mod config;
pub mod encryption;
pub mod env;
pub mod translation;

mod app_config;
mod background;
mod error;
mod field_errors;
mod file_locks;
mod paths;
mod replace_file;
mod scope;
mod services;
mod stop_signals;

pub use app_config::{AppConfig, Environment, is_local_host};
pub use background::Background;
pub use config::{Config, ConfigCache, ConfigFile, ConfigFiles, Hook, default};
pub use encryption::{AppKey, Encrypter, EncryptionConfig, Signer};
pub use env::{Env, env, env_list};
pub use error::{Error, ErrorNote, Result};
pub use field_errors::FieldErrors;
pub use file_locks::{FileLock, FileLocks, file_error, make_private_folder};
pub use housekey_base::{BoundedMap, Clock, Secret, constant_time_eq, iso8601, random};
pub use paths::Paths;
pub use replace_file::replace_file;
pub use scope::{Scope, service, spawn};
pub use services::{Services, ServicesBuilder};
pub use stop_signals::StopSignals;
