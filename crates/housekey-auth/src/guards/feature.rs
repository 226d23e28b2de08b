use housekey_core::{Error, Result};
use housekey_engine::schema::ColumnKind;
use housekey_http::guard::{GuardArguments, GuardFuture};
use housekey_http::{Guard, Next, Request};
use http::StatusCode;

use super::member::with_organizations;
use crate::{Auth, organization};

/// `feature:beta`: for organisations that have `true` in their column `beta`. What an organisation has not is not there.
// spec: ORG-4
pub(crate) fn feature(arguments: &GuardArguments<'_>) -> Result<OrganizationFeature> {
    let auth = with_organizations(arguments, "feature")?;
    let column = arguments.get(0).unwrap_or_default().trim().to_owned();
    check(&auth, &column)?;
    Ok(OrganizationFeature(column))
}

pub(crate) struct OrganizationFeature(String);

impl Guard for OrganizationFeature {
    fn name(&self) -> String {
        format!("feature:{}", self.0)
    }

    fn handle(&self, request: Request, next: Next) -> GuardFuture<'_> {
        Box::pin(async move {
            match organization::known()?.is_some_and(|active| active.has(&self.0)) {
                true => Ok(next.run(request).await),
                false => Err(Error::not_found()),
            }
        })
    }

    fn refuses_with(&self) -> &[StatusCode] {
        &[StatusCode::NOT_FOUND]
    }
}

/// A column that is not there lets nobody in; one that clients may set lets in whoever likes.
fn check(auth: &Auth, name: &str) -> Result<()> {
    let column = auth.engine().schema().table("organization").and_then(|table| table.column(name));
    match column {
        Some(column) if column.kind == ColumnKind::Boolean && !column.input => Ok(()),
        Some(column) if column.input => Err(Error::internal(format!(
            "`feature:{name}`: owners of an organization may set the column `{name}` themselves. Say `input: Some(false)` in \
             `additional_fields` of the organization plugin"
        ))),
        Some(_) => Err(Error::internal(format!("`feature:{name}`: the column `{name}` holds no yes or no"))),
        None => Err(Error::internal(format!(
            "`feature:{name}`: `organization` has no column `{name}`. Add it to `additional_fields` of the organization plugin, \
             as a boolean with `input: Some(false)`"
        ))),
    }
}
