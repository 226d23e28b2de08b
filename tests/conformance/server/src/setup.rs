use std::collections::BTreeMap;
use std::error::Error;
use std::sync::Arc;

use housekey_engine::access::{AccessControl, Statements};
use housekey_engine::options::{EngineOptions, Shared};
use housekey_engine::plugins::admin::BannedMessage;
use housekey_engine::plugins::two_factor::{AccountLockout, TwoFactorOptions};
use housekey_engine::plugins::{
    AdminOptions, BearerOptions, PasskeyOptions, admin, bearer, jwt, organization, passkey, two_factor,
};
use housekey_engine::{Clock, Engine, Plugins};
use housekey_engine_sql::SqlStorage;
use serde::Deserialize;
use time::OffsetDateTime;

use crate::api_key::ApiKeys;
use crate::devices::{Captcha, DeviceAuthorization, HaveIBeenPwned, OneTimeToken};
use crate::jwt::Jwt;
use crate::mail_sign_in::{EmailOtp, MagicLink};
use crate::names::{Anonymous, LastLoginMethod, MultiSession, Username};
use crate::organization::Organization;
use crate::postbox::Postbox;
use crate::rerouting::Rerouting;

/// What a test asks for. The Node side reads the same JSON.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Setup {
    /// Better Auth's options, as far as JSON can say them.
    options: serde_json::Value,
    /// The callbacks to set, by their names.
    #[serde(default)]
    callbacks: Vec<String>,
    /// The two-factor plugin, when there is to be one.
    two_factor: Option<TwoFactor>,
    /// The bearer plugin, when there is to be one.
    bearer: Option<Bearer>,
    /// The passkey plugin, when there is to be one.
    passkey: Option<Passkey>,
    /// The admin plugin, when there is to be one.
    admin: Option<Admin>,
    /// The api-key plugin, when there is to be one.
    api_key: Option<ApiKeys>,
    /// The captcha plugin, when there is to be one.
    captcha: Option<Captcha>,
    /// The device-authorization plugin, when there is to be one.
    device_authorization: Option<DeviceAuthorization>,
    /// The plugin for breached passwords, when there is to be one.
    have_i_been_pwned: Option<HaveIBeenPwned>,
    /// The one-time-token plugin, when there is to be one.
    one_time_token: Option<OneTimeToken>,
    /// The jwt plugin, when there is to be one.
    jwt: Option<Jwt>,
    /// The organization plugin, when there is to be one.
    organization: Option<Organization>,
    /// The username plugin, when there is to be one.
    username: Option<Username>,
    /// The anonymous plugin, when there is to be one.
    anonymous: Option<Anonymous>,
    /// The multi-session plugin, when there is to be one.
    multi_session: Option<MultiSession>,
    /// The last-login-method plugin, when there is to be one.
    last_login_method: Option<LastLoginMethod>,
    /// The magic-link plugin, when there is to be one.
    magic_link: Option<MagicLink>,
    /// The email-otp plugin, when there is to be one.
    email_otp: Option<EmailOtp>,
    /// Where requests to providers go; unset, to the providers.
    imitation: Option<String>,
    /// What the server calls itself: a browser makes passkeys for a name, not for an address.
    #[serde(default = "loopback")]
    host: String,
    /// A SQLite file, or the address of a PostgreSQL database; unset, one in memory.
    #[serde(default = "in_memory")]
    database: String,
    /// Milliseconds since 1970 at which the clock stands still; unset, it runs.
    now: Option<i64>,
}

fn loopback() -> String {
    "127.0.0.1".into()
}

fn in_memory() -> String {
    ":memory:".into()
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
struct TwoFactor {
    issuer: Option<String>,
    skip_verification_on_enable: bool,
    max_failed_attempts: u32,
}

impl Default for TwoFactor {
    fn default() -> Self {
        let AccountLockout { max_failed_attempts, .. } = AccountLockout::default();
        Self { issuer: None, skip_verification_on_enable: false, max_failed_attempts }
    }
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
struct Bearer {
    require_signature: bool,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
struct Passkey {
    #[serde(rename = "rpID")]
    rp_id: Option<String>,
    rp_name: Option<String>,
    origin: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
struct Admin {
    default_role: Option<String>,
    admin_roles: Option<Vec<String>>,
    /// What each role allows.
    roles: Option<BTreeMap<String, Statements>>,
    default_ban_reason: Option<String>,
    default_ban_expires_in: Option<u32>,
    banned_user_message: Option<String>,
    impersonation_session_duration: Option<u32>,
    allow_impersonating_admins: bool,
}

impl Admin {
    fn options(self) -> Result<AdminOptions, Box<dyn Error>> {
        let usual = AdminOptions::default();
        let access = match self.roles {
            Some(roles) => {
                let mut access = AccessControl::new(AdminOptions::statements());
                for (name, allowed) in roles {
                    access = access.role(name, allowed)?;
                }
                Some(access)
            }
            None => None,
        };
        Ok(AdminOptions {
            default_role: self.default_role.unwrap_or(usual.default_role),
            admin_roles: self.admin_roles.unwrap_or(usual.admin_roles),
            access,
            default_ban_reason: self.default_ban_reason,
            default_ban_expires_in: self.default_ban_expires_in,
            banned_user_message: self
                .banned_user_message
                .map_or(usual.banned_user_message, BannedMessage::Text),
            impersonation_session_duration: self
                .impersonation_session_duration
                .unwrap_or(usual.impersonation_session_duration),
            allow_impersonating_admins: self.allow_impersonating_admins,
            ..AdminOptions::default()
        })
    }
}

impl Setup {
    pub(crate) fn clock(&self) -> Result<Clock, Box<dyn Error>> {
        Ok(match self.now {
            None => Clock::system(),
            Some(now) => {
                Clock::frozen(OffsetDateTime::from_unix_timestamp_nanos(i128::from(now) * 1_000_000)?)
            }
        })
    }

    /// Where a server on a port of the loopback is reached.
    pub(crate) fn origin(&self, port: u16) -> String {
        format!("http://{}:{port}", self.host)
    }

    /// The engine, which believes to be at `origin` unless the options say where it is.
    pub(crate) async fn engine(
        mut self,
        origin: &str,
        postbox: &Postbox,
        clock: Clock,
    ) -> Result<Engine, Box<dyn Error>> {
        if self.options.get("baseURL").is_none() {
            self.options["baseURL"] = origin.into();
        }
        let mut options: EngineOptions = serde_json::from_value(self.options.take())?;
        if !options.other.is_empty() {
            return Err(format!("the engine does not know the options {:?}", options.other).into());
        }
        if let Some(entrance) = self.imitation.clone() {
            options.social.http_client = Shared::new(Arc::new(Rerouting::new(entrance)));
        }
        let mut second = self.two_factor.map(|given| TwoFactorOptions {
            issuer: given.issuer,
            skip_verification_on_enable: given.skip_verification_on_enable,
            account_lockout: AccountLockout {
                max_failed_attempts: given.max_failed_attempts,
                ..AccountLockout::default()
            },
            ..TwoFactorOptions::default()
        });
        for name in &self.callbacks {
            set_callback(name, postbox, &mut options, second.as_mut())?;
        }
        let bearer =
            self.bearer.map(|given| bearer(BearerOptions { require_signature: given.require_signature }));
        let passkey = self.passkey.map(|given| {
            let Passkey { rp_id, rp_name, origin } = given;
            passkey(PasskeyOptions { rp_id, rp_name, origin, ..PasskeyOptions::default() })
        });
        let admin = self.admin.map(Admin::options).transpose()?.map(admin);
        let jwt = self.jwt.map(|given| given.options(&self.callbacks)).transpose()?.map(jwt);
        let organization = self
            .organization
            .map(|given| given.options(&self.callbacks, postbox))
            .transpose()?
            .map(organization);
        let entrance = self.imitation.as_ref();
        let captcha = self.captcha.map(|given| given.plugin(entrance)).transpose()?;
        let devices = self.device_authorization.map(|given| given.plugin(&self.callbacks)).transpose()?;
        let plugins: Plugins = second
            .map(two_factor)
            .into_iter()
            .chain(bearer)
            .chain(passkey)
            .chain(admin)
            .chain(organization)
            .chain(jwt)
            .chain(self.api_key.map(ApiKeys::plugin))
            .chain(self.username.map(Username::plugin))
            .chain(self.anonymous.map(|given| given.plugin(postbox)))
            .chain(self.multi_session.map(MultiSession::plugin))
            .chain(self.last_login_method.map(LastLoginMethod::plugin))
            .chain(self.magic_link.map(|given| given.plugin(postbox)))
            .chain(self.email_otp.map(|given| given.plugin(postbox)))
            .chain(captcha)
            .chain(devices)
            .chain(self.have_i_been_pwned.map(|given| given.plugin(entrance)))
            .chain(self.one_time_token.map(OneTimeToken::plugin))
            .collect();
        let storage = match self.database.starts_with("postgres://") {
            true => SqlStorage::postgres(self.database),
            false => SqlStorage::sqlite(self.database),
        };
        let storage = storage.map_err(|error| error.to_string())?;
        let engine = Engine::builder(options).plugins(plugins).clock(clock).build(storage.clone())?;
        storage.create_tables(engine.schema()).await.map_err(|error| error.to_string())?;
        Ok(engine)
    }
}

fn set_callback(
    name: &str,
    postbox: &Postbox,
    options: &mut EngineOptions,
    second: Option<&mut TwoFactorOptions>,
) -> Result<(), String> {
    match name {
        "sendResetPassword" => {
            options.email_and_password.send_reset_password = postbox.links("sendResetPassword");
        }
        "onPasswordReset" => options.email_and_password.on_password_reset = postbox.news("onPasswordReset"),
        "onExistingUserSignUp" => {
            options.email_and_password.on_existing_user_sign_up = postbox.news("onExistingUserSignUp");
        }
        "sendVerificationEmail" => {
            options.email_verification.send_verification_email = postbox.links("sendVerificationEmail");
        }
        "sendChangeEmailConfirmation" => {
            options.user.change_email.send_change_email_confirmation =
                postbox.changes("sendChangeEmailConfirmation");
        }
        "sendDeleteAccountVerification" => {
            options.user.delete_user.send_delete_account_verification =
                postbox.links("sendDeleteAccountVerification");
        }
        "sendOTP" => {
            second.ok_or("sendOTP needs the two-factor plugin")?.otp.send_otp = postbox.codes("sendOTP");
        }
        // Those of organisations, visitors, devices and tokens are set with their options.
        "sendInvitationEmail"
        | "organizationHooks"
        | "onLinkAccount"
        | "validateClient"
        | "definePayload"
        | "getSubject" => {}
        other => return Err(format!("there is no callback `{other}`")),
    }
    Ok(())
}
