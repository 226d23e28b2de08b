use std::fmt;

use http::StatusCode;
use serde::Serialize;
use serde_json::{Map, Value as Json};
use time::Duration;
use url::Url;

use super::code::{self, Kind};
use super::error::{INVALID_CLIENT, keep_nothing, not_to_keep, refused, with_status};
use super::row::DeviceStatus;
use super::sweep::sweep;
use super::{DeviceAuthorizationOptions, options};
use crate::{
    Api, ApiError, Body, Commit, Endpoint, Field, Media, Reader, Record, Reply, Result, Secret, Shape,
};

const FIELDS: [&str; 3] = ["client_id", "user_id", "scope"];
/// How often two new codes may be somebody else's before we give up.
const ATTEMPTS: usize = 3;
/// Characters of what a device calls itself; the page shows it.
const LONGEST_CLIENT_ID: usize = 255;
/// Characters of what a device wants.
const LONGEST_SCOPE: usize = 1024;

/// What a device asks for.
#[derive(Clone, Debug, Default)]
pub struct RequestCodes {
    pub client_id: String,
    /// What it wants, separated by blanks.
    pub scope: Option<String>,
    /// The only user who may approve, where that is known.
    pub user_id: Option<String>,
}

/// What a device gets.
#[derive(Clone)]
pub struct DeviceCodes {
    /// It polls with this.
    pub device_code: Secret,
    /// It shows this.
    pub user_code: String,
    /// Where the person enters the code.
    pub verification_uri: String,
    /// The same with the code in it: for a QR code.
    pub verification_uri_complete: String,
    /// Seconds that both live.
    pub expires_in: u32,
    /// Seconds between two polls.
    pub interval: u32,
}

/// `POST /device/code`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/device/code", |api| Box::pin(answer(api)))
        .accepting(Media::JsonOrForm)
        .about("Gives a device a code to show and a code to poll with (RFC 8628).")
        .takes([
            Field::text("client_id").about("Which program asks.").example("a-command-line"),
            Field::text("scope").optional().about("What it wants, separated by blanks."),
            Field::text("user_id").optional().about("The only user who may approve."),
        ])
        .answers(Shape::object([
            Field::secret("device_code"),
            Field::text("user_code"),
            Field::url("verification_uri"),
            Field::url("verification_uri_complete"),
            Field::integer("expires_in"),
            Field::integer("interval"),
        ]))
}

async fn answer(api: &mut Api) -> Result<Reply> {
    #[derive(Serialize)]
    struct Codes<'a> {
        device_code: &'a str,
        user_code: &'a str,
        verification_uri: &'a str,
        verification_uri_complete: &'a str,
        expires_in: u32,
        interval: u32,
    }
    let input = read(api)?;
    keep_nothing(api);
    let codes = request_codes(api, input).await?;
    Reply::json(&Codes {
        device_code: codes.device_code.reveal(),
        user_code: &codes.user_code,
        verification_uri: &codes.verification_uri,
        verification_uri_complete: &codes.verification_uri_complete,
        expires_in: codes.expires_in,
        interval: codes.interval,
    })
}

fn read(api: &Api) -> Result<RequestCodes> {
    let form = form(api)?;
    let mut body = match form {
        Some(fields) => Reader::of_fields("body", fields),
        None => api.request().read_body(),
    };
    let client_id = body.text("client_id");
    let user_id = body.optional_text("user_id").filter(|id| !id.is_empty());
    let scope = body.optional_text("scope").filter(|scope| !scope.is_empty());
    for (field, length, most) in [
        ("client_id", client_id.chars().count(), LONGEST_CLIENT_ID),
        ("user_id", user_id.as_ref().map_or(0, |id| id.chars().count()), LONGEST_CLIENT_ID),
        ("scope", scope.as_ref().map_or(0, |scope| scope.chars().count()), LONGEST_SCOPE),
    ] {
        if length > most {
            body.add_error(field, &format!("Too big: expected string to have <={most} characters"));
        }
    }
    body.finish().map_err(|error| match error.status() {
        StatusCode::BAD_REQUEST => refused("invalid_request", error.message()),
        _ => error,
    })?;
    Ok(RequestCodes { client_id, scope, user_id })
}

/// The fields of a form: of what was sent more than once, that which is not empty. Two of them are a contradiction.
fn form(api: &Api) -> Result<Option<Map<String, Json>>> {
    let Body::Form(fields) = api.request().body() else { return Ok(None) };
    let (mut fields, pairs) = (fields.clone(), api.request().form_pairs());
    for field in FIELDS {
        let mut given = pairs.iter().filter(|(name, value)| name == field && !value.is_empty());
        if let Some((_, value)) = given.next() {
            fields.insert(field.into(), value.clone().into());
        }
        if given.next().is_some() {
            let description = format!("{field} must not be repeated");
            return Err(not_to_keep(refused("invalid_request", &description)));
        }
    }
    Ok(Some(fields))
}

/// Makes a pair of codes for a device.
pub async fn request_codes(api: &mut Api, input: RequestCodes) -> Result<DeviceCodes> {
    let options = options(api)?;
    if input.client_id.is_empty() {
        return Err(refused("invalid_request", "client_id is required"));
    }
    if !is_client(&options, &input.client_id).await? {
        return Err(refused("invalid_client", INVALID_CLIENT));
    }
    sweep(api).await?;
    for _ in 0..ATTEMPTS {
        let device_code = code::device_code(options.device_code_length);
        let user_code = code::user_code(options.user_code_length);
        let mut changes = api.changes();
        changes.create("deviceCode", record(api, &options, &input, &device_code, &user_code)).await?;
        if changes.commit().await? == Commit::Lost {
            continue;
        }
        let (verification_uri, verification_uri_complete) = addresses(api, &options, &user_code)?;
        return Ok(DeviceCodes {
            device_code: device_code.into(),
            user_code,
            verification_uri,
            verification_uri_complete,
            expires_in: options.expires_in,
            interval: options.interval,
        });
    }
    let status = StatusCode::INTERNAL_SERVER_ERROR;
    Err(with_status(status, "server_error", "Failed to generate a unique device code"))
}

/// Whether the app knows a client, or takes any.
pub(super) async fn is_client(options: &DeviceAuthorizationOptions, id: &str) -> Result<bool> {
    match options.validate_client.call(id.to_owned()).await {
        None => Ok(true),
        Some(Ok(known)) => Ok(known),
        Some(Err(error)) => Err(ApiError::internal("validateClient failed", error)),
    }
}

fn record(
    api: &Api,
    options: &DeviceAuthorizationOptions,
    input: &RequestCodes,
    device_code: &str,
    user_code: &str,
) -> Record {
    let now = api.clock().now();
    let record = Record::new()
        .with("deviceCode", code::stored(api, options, Kind::Device, device_code))
        .with("userCode", code::stored(api, options, Kind::User, user_code))
        .with("userId", input.user_id.clone())
        .with("expiresAt", now + Duration::seconds(i64::from(options.expires_in)))
        .with("status", DeviceStatus::Pending.name())
        .with("pollingInterval", i64::from(options.interval) * 1000)
        .with("clientId", &input.client_id)
        .with("scope", input.scope.clone());
    if options.reference_rows {
        return record;
    }
    let agent: String = api.user_agent().chars().take(512).collect();
    record.with("createdAt", now).with("ipAddress", api.client_address()).with("userAgent", agent)
}

fn addresses(api: &Api, options: &DeviceAuthorizationOptions, code: &str) -> Result<(String, String)> {
    let wrong = |error| ApiError::internal("verificationUri is no address", error);
    let page = match Url::parse(&options.verification_uri) {
        Ok(page) => page,
        Err(_) => {
            let base = Url::parse(&api.endpoint_url("/")).map_err(wrong)?;
            base.join(&options.verification_uri).map_err(wrong)?
        }
    };
    let mut complete = page.clone();
    complete.query_pairs_mut().append_pair("user_code", code);
    Ok((page.into(), complete.into()))
}

/// Without the code that the device keeps.
impl fmt::Debug for DeviceCodes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DeviceCodes")
            .field("verification_uri", &self.verification_uri)
            .field("expires_in", &self.expires_in)
            .finish_non_exhaustive()
    }
}
