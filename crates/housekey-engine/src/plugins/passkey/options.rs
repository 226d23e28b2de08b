use serde::{Deserialize, Serialize};

use crate::options::ModelNames;
use crate::{Api, Callback};

#[derive(Clone, Debug)]
pub struct PasskeyOptions {
    /// The domain that passkeys are for: the app's host or a parent of it. The host of the base URL when unset.
    pub rp_id: Option<String>,
    /// What the device shows; the app's name when unset.
    pub rp_name: Option<String>,
    /// The origins that ceremonies may happen on (`https://example.com`, no slash at the end). Empty: the origin that
    /// the request names, which the engine has compared with the trusted ones by then.
    pub origin: Vec<String>,
    /// Which devices are asked for.
    pub authenticator_selection: AuthenticatorSelection,
    /// Who may register.
    pub registration: PasskeyRegistration,
    /// Whether it is kept when a passkey was used last, for the list of its owner: in a column `lastUsedAt`, which the
    /// reference does not have. Off, there is no such column and nothing is told.
    pub track_last_use: bool,
    /// The base name of the cookie by which a challenge is found again.
    pub challenge_cookie: String,
    /// Other names for the `passkey` table and its columns.
    pub schema: ModelNames,
}

impl Default for PasskeyOptions {
    fn default() -> Self {
        Self {
            rp_id: None,
            rp_name: None,
            origin: Vec::new(),
            authenticator_selection: AuthenticatorSelection::default(),
            registration: PasskeyRegistration::default(),
            track_last_use: false,
            challenge_cookie: "better-auth-passkey".into(),
            schema: ModelNames::new(),
        }
    }
}

impl PasskeyOptions {
    pub(super) fn rp_id<'a>(&'a self, api: &'a Api) -> &'a str {
        self.rp_id.as_deref().unwrap_or(api.host())
    }

    pub(super) fn rp_name<'a>(&'a self, api: &'a Api) -> &'a str {
        self.rp_name.as_deref().unwrap_or(&api.options().app_name)
    }

    /// The origins that an answer may come from: those of the options, or that of the request if it is trusted. A page of
    /// another host of the domain may have the same `rp_id` and is not ours for that.
    pub(super) async fn origins(&self, api: &Api) -> Vec<String> {
        if !self.origin.is_empty() {
            return self.origin.clone();
        }
        let Some(named) = api.request().header("origin").filter(|origin| !origin.is_empty()) else {
            return Vec::new();
        };
        if api.trusts_origin(named).await { vec![named.to_owned()] } else { Vec::new() }
    }

    pub(super) fn requires_user_verification(&self) -> bool {
        self.authenticator_selection.user_verification == Requirement::Required
    }
}

/// Which devices are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AuthenticatorSelection {
    /// Whether the device keeps the key itself, so that it can offer it without being told a name.
    pub resident_key: Requirement,
    /// Whether the device makes sure who uses it: a fingerprint, a face, a PIN.
    pub user_verification: Requirement,
    /// A part of this machine, or one that can be carried to another. The browser offers both when unset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub authenticator_attachment: Option<Attachment>,
}

impl Default for AuthenticatorSelection {
    fn default() -> Self {
        let preferred = Requirement::Preferred;
        Self { resident_key: preferred, user_verification: preferred, authenticator_attachment: None }
    }
}

/// How much something is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Requirement {
    /// Not at all.
    Discouraged,
    /// If the device can.
    #[default]
    Preferred,
    /// Without it there is no passkey.
    Required,
}

/// Where a device sits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Attachment {
    /// In this machine.
    Platform,
    /// In something that can be carried to another.
    CrossPlatform,
}

/// Who may register a passkey.
#[derive(Clone, Debug)]
pub struct PasskeyRegistration {
    /// Whether a recent sign-in is needed. Without it [`resolve_user`](Self::resolve_user) says whose passkey it is to
    /// be when nobody is signed in.
    pub require_session: bool,
    /// Whether only somebody with a proven address may register one: else whoever signs up with an address that is not
    /// theirs would keep a way in.
    pub require_email_verification: bool,
    /// Names the user for a registration without a session. Whoever it names gets a passkey that signs them in, so it
    /// must have made sure who is asking: by a token in the request's `context`, for instance.
    pub resolve_user: Callback<RegistrationRequest, Option<PasskeyUser>>,
}

impl Default for PasskeyRegistration {
    fn default() -> Self {
        Self { require_session: true, require_email_verification: false, resolve_user: Callback::unset() }
    }
}

/// Someone without a session wants to register a passkey.
#[derive(Clone, Debug)]
pub struct RegistrationRequest {
    /// What the page sent along.
    pub context: Option<String>,
    pub headers: http::HeaderMap,
}

/// For whom a passkey is made. The user must exist by the time the device answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PasskeyUser {
    pub id: String,
    /// What the device lists the passkey under, usually the address.
    #[serde(default)]
    pub name: String,
    /// What the device calls the person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
}
