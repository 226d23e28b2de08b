use housekey::auth::engine::ApiError;
use housekey::auth::engine::plugins::device_authorization::{DeviceStatus, inspect};
use housekey::auth::{api, impersonated_by};
use housekey::prelude::*;
use serde::{Deserialize, Serialize};

use super::asked::Asked;

/// The code that was entered in this browser last. Not in the address of the page that asks: a link must not claim a request for
/// whoever opens it.
const ENTERED: &str = "device.entered";
/// What was decided about it.
const DECIDED: &str = "device.decided";
/// A code that was refused. By the name of its field it might be a secret, and would not be shown again: a wrong one opens nothing.
const REFUSED: &str = "device.refused";

/// What somebody decided about a device.
#[typescript]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum DeviceDecision {
    /// It was let in.
    Approved,
    /// It was turned away.
    Denied,
}

/// How it stands with a code.
pub enum Standing {
    /// None was entered here.
    Nothing,
    /// A device waits for the decision of whoever is signed in.
    Open(Asked),
    /// There is nothing to decide any more, and why.
    Over(String),
}

/// Looks at the request with a code, and claims it for whoever is signed in if nobody did before.
pub async fn look_at(code: &str) -> Result<Standing> {
    let found = match inspect(&mut api()?, code).await {
        Ok(found) => found,
        Err(error) => return Ok(Standing::Over(why_not(error)?)),
    };
    Ok(match (found.status, found.request) {
        (DeviceStatus::Pending, Some(request)) => Standing::Open(Asked::new(code, request)),
        (DeviceStatus::Pending, None) => Standing::Over(taken()),
        _ => Standing::Over(decided_before()),
    })
}

/// How it stands with the code that was entered here. Somebody else who signed in since sees nothing of it.
pub async fn standing() -> Result<Standing> {
    match session().get::<String>(ENTERED).await? {
        Some(code) => look_at(&code).await,
        None => Ok(Standing::Nothing),
    }
}

/// What was decided here last, until another code is entered.
pub async fn decided() -> Result<Option<DeviceDecision>> {
    session().get(DECIDED).await
}

/// The code that was refused a moment ago, to be compared and mended.
pub fn refused_code() -> Option<String> {
    session().flashed(REFUSED)
}

pub fn remember_refused(code: &str) -> Result<()> {
    session().flash(REFUSED, code)
}

pub fn remember_code(code: &str) -> Result<()> {
    session().forget(DECIDED);
    session().put(ENTERED, code)
}

pub async fn remember_decision(code: &str, decision: DeviceDecision) -> Result<()> {
    // Another window may be about another device.
    if session().get::<String>(ENTERED).await?.as_deref() == Some(code) {
        session().forget(ENTERED);
    }
    session().put(DECIDED, decision)
}

/// Why the engine takes no decision, in words for the person who entered the code. What is not about the code stays an error.
pub fn why_not(error: ApiError) -> Result<String> {
    let word = error.own_body().and_then(|body| body["error"].as_str()).unwrap_or_default();
    match word {
        "expired_token" => Ok(t("This code is too old. Begin again on your device: it shows a new one.")),
        "access_denied" if impersonated_by().is_some() => {
            Ok(t("You act in the name of somebody else. Only they can let a device in."))
        }
        "access_denied" => Ok(taken()),
        "invalid_request" => Ok(t("There is no such code. Compare it with the one on your device.")),
        _ => Err(error).or_http_error(),
    }
}

pub fn decided_before() -> String {
    t("This code was used already. Begin again on your device: it shows a new one.")
}

fn taken() -> String {
    t("Somebody else entered this code first. Begin again on your device: it shows a new one.")
}
