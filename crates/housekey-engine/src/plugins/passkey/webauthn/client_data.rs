use serde::Deserialize;

use super::{Checked, Expected, Refusal, require};

/// What the browser says about the page on which the person was asked.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ClientData {
    #[serde(rename = "type")]
    kind: String,
    challenge: String,
    origin: String,
    #[serde(default)]
    cross_origin: Option<bool>,
}

/// Checks what the browser says: the right ceremony, our challenge, on a page of ours.
pub(super) fn check(json: &[u8], kind: &str, expected: &Expected<'_>) -> Checked<()> {
    let data: ClientData = serde_json::from_slice(json).map_err(|_| Refusal("the client data is no JSON"))?;
    require(data.kind == kind, "the client data is of another ceremony")?;
    require(data.challenge == expected.challenge, "the challenge is another one")?;
    require(expected.origins.contains(&data.origin), "the page is of another origin")?;
    require(data.cross_origin != Some(true), "the page was a frame in another site's")
}
