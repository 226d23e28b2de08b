//! Signing in on a device that has no keyboard or no browser: a command line, a television (RFC 8628).
//!
//! The device asks for two codes. It shows the short one to the person and polls with the long one. The person opens a page on
//! another device, is signed in there, enters the short code, sees who asks for what and from where, and approves or denies. The
//! next poll then gives the device a session of its own.
//!
//! ```
//! use housekey_engine::options::EngineOptions;
//! use housekey_engine::plugins::device_authorization;
//! use housekey_engine::Engine;
//!
//! # let options = EngineOptions::default();
//! let builder = Engine::builder(options).plugins([device_authorization(Default::default())]);
//! # let _ = builder;
//! ```
//!
//! The functions of this module are the endpoints for server code: [`request_codes`] and [`redeem`] for the device; [`inspect`],
//! [`approve`] and [`deny`] for the page.
//!
//! # What is promised
//!
//! - Of any number of polls that arrive at once, one is answered; the others are told to slow down. Of two that bring an
//!   approved code, one gets the session.
//! - Only whoever looked at a request first, signed in, can approve or deny it, and only once.
//! - Codes lie in the database as MACs. A code that was approved gives a session only while the session that approved it
//!   lives: signing out everywhere, a reset of the password and a ban end what was approved and not yet picked up.
//! - The device's session begins like any other: who may have none gets none. The second factor was with whoever approved.
//!
//! # Where this differs from the reference
//!
//! - The promises above. For a database that both work on at the same time, [`DeviceAuthorizationOptions::reference_rows`] keeps
//!   rows as the reference does.
//! - User codes are counted per person as well as per address.
//! - `/device/token` takes a form too, as RFC 6749 has it.

mod approve;
mod code;
mod error;
mod inspect;
mod options;
mod redeem;
mod request;
mod row;
mod sweep;

use std::sync::Arc;

pub use approve::{approve, deny};
pub use inspect::{DeviceRequest, DeviceSignIn, inspect};
pub use options::DeviceAuthorizationOptions;
pub use redeem::{DeviceToken, RedeemDeviceCode, redeem};
pub use request::{DeviceCodes, RequestCodes, request_codes};
pub use row::DeviceStatus;

use crate::options::RateRule;
use crate::schema::{Column, SchemaContribution, Table};
use crate::{Api, ApiError, Plugin, Record, Result};

/// How many user codes an address may look at while one lives.
const LOOKS_PER_ADDRESS: u32 = 5;

/// Signing in on a device that has no keyboard or no browser: a command line, a television (RFC 8628).
pub fn device_authorization(options: DeviceAuthorizationOptions) -> Plugin {
    let looks = RateRule { window: options.expires_in, max: LOOKS_PER_ADDRESS };
    Plugin::new("device-authorization")
        .schema(schema(&options))
        .endpoint(request::endpoint())
        .endpoint(redeem::endpoint())
        .endpoint(inspect::endpoint())
        .endpoint(approve::approve_endpoint())
        .endpoint(approve::deny_endpoint())
        .rate_rule("/device", looks)
        .recovery("deviceCode", "userId", Record::new())
        .engine_state(sweep::Sweep::default)
        .state(Arc::new(options))
}

fn schema(options: &DeviceAuthorizationOptions) -> SchemaContribution {
    let mut table = Table::new("deviceCode")
        .column_with(Column::text("deviceCode"))
        .column_with(Column::text("userCode"))
        .column_with(Column::text("userId").nullable())
        .column_with(Column::date("expiresAt"))
        .column_with(Column::text("status"))
        .column_with(Column::date("lastPolledAt").nullable())
        .column_with(Column::integer("pollingInterval").nullable())
        .column_with(Column::text("clientId").nullable())
        .column_with(Column::text("scope").nullable());
    if !options.reference_rows {
        table = table
            .column_with(Column::date("createdAt").nullable())
            .column_with(Column::text("ipAddress").nullable())
            .column_with(Column::text("userAgent").nullable())
            .column_with(Column::text("approvedBy").nullable().hidden());
    }
    SchemaContribution::new()
        .table(table)
        .unique_index("deviceCode", ["deviceCode"])
        .unique_index("deviceCode", ["userCode"])
        .names(&options.schema)
}

/// The plugin's options, as far as the engine has the plugin.
fn options(api: &Api) -> Result<Arc<DeviceAuthorizationOptions>> {
    let options = api.plugin_state();
    options.ok_or_else(|| {
        ApiError::internal(
            "the device-authorization plugin was called",
            "it is not among the engine's plugins",
        )
    })
}
