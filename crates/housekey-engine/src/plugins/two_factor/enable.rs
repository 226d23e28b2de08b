use serde::Serialize;

use super::password::{check_password, field};
use super::row::{TwoFactorRow, id_of, new_codes, new_secret};
use super::stored_codes::{encrypted, stored};
use super::{TwoFactorOptions, enrolment, is_enabled, options, totp, totp_uri, turned_on};
use crate::{
    Api, Changes, Commit, Endpoint, Field, Record, Reply, Result, Secret, SecurityEventKind, Shape, SignedIn,
    User, codes,
};

/// How often enrolment begins again because someone else began at the same time.
const TRIES: usize = 4;

/// A person who wants a second factor.
#[derive(Clone, Debug, Default)]
pub struct Enable {
    pub password: Option<Secret>,
    pub method: EnableMethod,
    /// What the authenticator app shows.
    pub issuer: Option<String>,
}

/// Which kind of second factor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EnableMethod {
    /// Codes by time.
    #[default]
    Totp,
    /// Codes that are sent.
    Otp,
}

/// The answer to turning the second factor on.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "method", rename_all = "lowercase")]
pub enum Enabled {
    /// What to show: the rest happens with the first right code.
    Totp {
        /// The address for an authenticator app.
        #[serde(rename = "totpURI")]
        totp_uri: String,
        /// The codes to keep.
        #[serde(rename = "backupCodes")]
        backup_codes: Vec<String>,
    },
    /// The second factor is on: there is nothing to set up.
    Otp,
}

/// `POST /two-factor/enable`
pub(super) fn endpoint(chosen: &TwoFactorOptions) -> Endpoint {
    Endpoint::post("/two-factor/enable", |api| {
        Box::pin(async move {
            let passwordless = options(api)?.allow_passwordless || api.is_presence_confirmed();
            let mut body = api.request().read_body();
            let password =
                if passwordless { body.optional_text("password") } else { Some(body.text("password")) };
            let method = match body.optional_choice("method", &["otp", "totp"]) {
                Some("otp") => EnableMethod::Otp,
                _ => EnableMethod::Totp,
            };
            let input =
                Enable { password: password.map(Into::into), method, issuer: body.optional_text("issuer") };
            body.finish()?;
            Reply::json(&enable(api, input).await?)
        })
    })
    .about(
        "Begins with a second factor. The answer holds a secret for an authenticator app and \
             backup codes; the first right code turns it on. Codes that are sent are on at once.",
    )
    .takes([
        field(chosen),
        Field::choice("method", ["otp", "totp"]).optional().about("By itself `totp`."),
        Field::text("issuer").optional().about("What the authenticator app shows."),
    ])
    .answers(Shape::one_of([
        Shape::object([
            Field::choice("method", ["totp"]),
            Field::url("totpURI"),
            Field::list("backupCodes", Shape::text()),
        ]),
        Shape::object([Field::choice("method", ["otp"])]),
    ]))
    .needs_session()
}

/// Begins enrolment: a new secret and new backup codes, and the account as it was. For codes that are sent there is
/// nothing to prove, so that is on at once.
pub async fn enable(api: &mut Api, input: Enable) -> Result<Enabled> {
    let signed_in = api.require_stored_session().await?;
    if options(api)?.require_email_verification {
        api.require_verified_email(&signed_in.user)?;
    }
    check_password(api, &signed_in.user, input.password.as_ref()).await?;
    match input.method {
        EnableMethod::Totp => enable_totp(api, &signed_in, input.issuer.as_deref()).await,
        EnableMethod::Otp => enable_otp(api, &signed_in).await,
    }
}

async fn enable_totp(api: &mut Api, signed_in: &SignedIn, issuer: Option<&str>) -> Result<Enabled> {
    let options = options(api)?;
    let (secret, backup_codes) = (new_secret(), new_codes(options.backup_codes));
    let stored_codes = match options.skip_verification_on_enable {
        true => stored(api, &backup_codes).await?,
        false => encrypted(api, &backup_codes)?,
    };
    let record = Record::new()
        .with("secret", api.encrypt(&secret)?)
        .with("backupCodes", stored_codes)
        .with("verified", options.skip_verification_on_enable);
    if options.skip_verification_on_enable {
        let changes = prepare(api, &signed_in.user, record).await?;
        totp::rotate(api, changes, signed_in, turned_on(), SecurityEventKind::TwoFactorEnabled).await?;
    } else {
        let mut tries = TRIES;
        while prepare(api, &signed_in.user, record.clone()).await?.commit().await? == Commit::Lost {
            // Someone began at the same time: what they began is replaced, as if they had come a moment earlier.
            tries -= 1;
            if tries == 0 {
                return Err(codes::TOTP_ALREADY_ENABLED.bad_request());
            }
        }
    }
    let totp_uri = totp_uri::uri(api, &options, &signed_in.user, &secret, issuer);
    Ok(Enabled::Totp { totp_uri, backup_codes })
}

/// Writes a pending factor into the user's row, which may be a new one.
async fn prepare(api: &Api, user: &User, record: Record) -> Result<Changes> {
    let mut changes = api.changes();
    let secret = record.text("secret").unwrap_or_default().to_owned();
    match TwoFactorRow::of(api, user).await? {
        Some(row) if row.verified => return Err(codes::TOTP_ALREADY_ENABLED.bad_request()),
        // Still pending is part of the condition: a factor that was just turned on must not be overwritten.
        Some(row) => {
            let pending = row.filter().and_by("verified", false);
            if row.id == id_of(api, user) {
                changes.update_expecting("twoFactor", pending, record).await?;
            } else {
                changes.delete_expecting("twoFactor", pending).await?;
                create_row(api, &mut changes, user, record).await?;
            }
        }
        None => create_row(api, &mut changes, user, record).await?,
    }
    // After the row, which lets one of two begin at a time.
    enrolment::begin_in(api, &mut changes, user, &secret).await?;
    Ok(changes)
}

/// Adds the user's row.
async fn create_row(api: &Api, changes: &mut Changes, user: &User, record: Record) -> Result<()> {
    changes.create("twoFactor", record.with("id", id_of(api, user)).with("userId", &user.id)).await.map(drop)
}

async fn enable_otp(api: &mut Api, signed_in: &SignedIn) -> Result<Enabled> {
    let options = options(api)?;
    if !options.otp.send_otp.is_set() {
        return Err(codes::OTP_NOT_CONFIGURED.bad_request());
    }
    if is_enabled(&signed_in.user) {
        return Ok(Enabled::Otp);
    }
    let mut changes = api.changes();
    if TwoFactorRow::of(api, &signed_in.user).await?.is_none() {
        // Failures are counted in the row. Its secret is one that nobody was shown, so it opens nothing.
        let record = Record::new()
            .with("secret", api.encrypt(&new_secret())?)
            .with("backupCodes", encrypted(api, &[])?)
            .with("verified", false);
        create_row(api, &mut changes, &signed_in.user, record).await?;
    }
    totp::rotate(api, changes, signed_in, turned_on(), SecurityEventKind::TwoFactorEnabled).await?;
    Ok(Enabled::Otp)
}
