//! Passkeys: a key pair that the person's device keeps instead of a password that they remember.
//!
//! Every ceremony has two steps. The first gives the browser a challenge, which lives for five minutes in the storage
//! and is found again by a signed cookie. The second brings the device's answer; the challenge is spent by the first
//! answer, right or wrong.
//!
//! ```
//! use housekey_engine::options::EngineOptions;
//! use housekey_engine::plugins::passkey;
//! use housekey_engine::Engine;
//!
//! # let options = EngineOptions::default();
//! let builder = Engine::builder(options).plugins([passkey(Default::default())]);
//! # let _ = builder;
//! ```
//!
//! The functions of this module are the endpoints for server code: [`registration_options`], [`verify_registration`],
//! [`list_passkeys`], …
//!
//! # Where this differs from the reference
//!
//! - A registration that does not verify is refused with 400; the reference calls it a failure of its own (500).
//! - A credential that is registered already is refused with 400 `PREVIOUSLY_REGISTERED`, whoever has it: two rows for
//!   one credential would let one person decide into whose account another signs in.
//! - An answer that was given inside a frame of another site (`crossOrigin`) is refused.
//! - When the options *require* user verification, answers without it are refused and sign-in asks for it too.
//! - An attestation is not looked at, since none is asked for and nothing would depend on it.

pub mod codes;

mod authentication_options;
mod challenge;
mod delete;
mod list;
mod options;
mod provider;
mod registration_options;
mod rename;
mod row;
mod verify_authentication;
mod verify_registration;
mod webauthn;

use std::sync::Arc;

pub use authentication_options::{AuthenticationOptions, authentication_options};
pub use delete::delete_passkey;
pub use list::list_passkeys;
pub use options::{
    Attachment, AuthenticatorSelection, PasskeyOptions, PasskeyRegistration, PasskeyUser,
    RegistrationRequest, Requirement,
};
pub use provider::passkey_provider;
pub use registration_options::{NewPasskey, RegistrationOptions, registration_options};
pub use rename::rename_passkey;
pub use row::{CredentialDescriptor, Passkey};
pub use verify_authentication::{verify_authentication, verify_owner};
pub use verify_registration::{Registered, VerifyRegistration, verify_registration};

use crate::schema::{Column, SchemaContribution, Table};
use crate::{Api, ApiError, Plugin, Record, Result};

/// Passkeys: a key pair that the person's device keeps instead of a password that they remember.
pub fn passkey(options: PasskeyOptions) -> Plugin {
    Plugin::new("passkey")
        .schema(schema(&options))
        .endpoint(registration_options::endpoint())
        .endpoint(authentication_options::endpoint())
        .endpoint(verify_registration::endpoint())
        .endpoint(verify_authentication::endpoint())
        .endpoint(list::endpoint())
        .endpoint(delete::endpoint())
        .endpoint(rename::endpoint())
        .recovery("passkey", "userId", Record::new())
        .state(Arc::new(options))
}

fn schema(options: &PasskeyOptions) -> SchemaContribution {
    let mut table = Table::new("passkey")
        .column_with(Column::text("name").nullable())
        .column_with(Column::text("publicKey"))
        .column_with(Column::reference("userId", "user").indexed())
        .column_with(Column::text("credentialID").indexed())
        .column_with(Column::integer("counter"))
        .column_with(Column::text("deviceType"))
        .column_with(Column::boolean("backedUp"))
        .column_with(Column::text("transports").nullable())
        .column_with(Column::date("createdAt").nullable())
        .column_with(Column::text("aaguid").nullable());
    if options.track_last_use {
        table = table.column_with(Column::date("lastUsedAt").nullable());
    }
    SchemaContribution::new().table(table).names(&options.schema)
}

/// The plugin's options, as far as the engine has the plugin.
fn options(api: &Api) -> Result<Arc<PasskeyOptions>> {
    let options = api.plugin_state();
    options.ok_or_else(|| {
        ApiError::internal("the passkey plugin was called", "it is not among the engine's plugins")
    })
}
