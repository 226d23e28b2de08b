use housekey::prelude::*;
use serde::Serialize;
use time::format_description::well_known::Rfc3339;

use crate::controllers::device::asked::Asked;
use crate::controllers::device::standing::{DeviceDecision, Standing, decided, standing};

/// How it stands with the code of a device that was entered here last.
#[typescript]
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DeviceAnswer {
    /// What waits for a decision.
    pub asked: Option<DeviceRow>,
    /// Why there is nothing to decide any more.
    pub over: Option<String>,
    /// What was decided.
    pub decided: Option<DeviceDecision>,
}

/// What a device asks for. Most of it is what the device says about itself.
#[typescript]
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DeviceRow {
    /// The code as it was entered: the decision names it.
    pub entered: String,
    /// The code as devices show it.
    pub code: String,
    /// What it calls itself.
    pub client: String,
    /// What it wants.
    pub scopes: Vec<String>,
    /// The address that it asked from.
    pub address: String,
    /// The program that asked.
    pub program: String,
    /// When it asked.
    pub at: Option<String>,
}

impl From<Asked> for DeviceRow {
    fn from(asked: Asked) -> Self {
        Self {
            entered: asked.entered,
            code: asked.code,
            client: asked.client,
            scopes: asked.scopes,
            address: asked.address,
            program: asked.program,
            at: asked.at.and_then(|at| at.format(&Rfc3339).ok()),
        }
    }
}

/// `GET /api/device`: it claims nothing and decides nothing. What was entered is in the session, so no link leads to it.
pub async fn show() -> Result<Json<DeviceAnswer>> {
    let decided = decided().await?;
    Ok(Json(match standing().await? {
        Standing::Open(asked) => DeviceAnswer { asked: Some(asked.into()), decided, ..default() },
        Standing::Over(why) => DeviceAnswer { over: Some(why), decided, ..default() },
        Standing::Nothing => DeviceAnswer { decided, ..default() },
    }))
}
