use housekey_core::{Error, Result};
use housekey_http::guard::{GuardArguments, GuardFuture};
use housekey_http::{Guard, Next, Request};
use http::StatusCode;

use crate::{Auth, Feature};

/// `offers:two-factor`: for what `config/auth.rs` turns on. What is off is not there, for anybody.
// spec: CFG-6
pub(crate) fn offers(arguments: &GuardArguments<'_>) -> Result<Offers> {
    let auth = Auth::of(arguments.services())?;
    let feature: Feature = arguments.get(0).unwrap_or_default().parse().map_err(Error::internal)?;
    Ok(Offers { feature, on: auth.offers(feature) })
}

pub(crate) struct Offers {
    feature: Feature,
    on: bool,
}

impl Guard for Offers {
    fn name(&self) -> String {
        format!("offers:{}", self.feature.name())
    }

    fn refuses_with(&self) -> &[StatusCode] {
        &[StatusCode::NOT_FOUND]
    }

    fn handle(&self, request: Request, next: Next) -> GuardFuture<'_> {
        Box::pin(async move {
            match self.on {
                true => Ok(next.run(request).await),
                false => Err(Error::not_found()),
            }
        })
    }
}
