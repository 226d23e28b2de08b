use std::sync::Arc;

use housekey_core::{Clock, Encrypter, Error, Result};
use http::StatusCode;

use super::signature::{EXPIRES, Refusal, SIGNATURE, check};
use crate::Request;
use crate::guard::{Guard, GuardArguments, GuardFuture, Next};

/// Makes the guard `signed`, or `signed:<ignored>,<ignored>`, at boot.
pub(crate) fn factory(arguments: &GuardArguments<'_>) -> Result<impl Guard + use<>> {
    let ignored: Vec<String> = arguments.values().iter().map(|name| (*name).to_owned()).collect();
    if let Some(own) = ignored.iter().find(|name| *name == SIGNATURE || *name == EXPIRES || name.is_empty()) {
        return Err(Error::internal(format!("the guard \"signed\" cannot ignore the parameter {own:?}")));
    }
    let services = arguments.services();
    Ok(Signed { ignored, encrypter: services.require()?, clock: services.require()? })
}

struct Signed {
    ignored: Vec<String>,
    encrypter: Arc<Encrypter>,
    clock: Arc<Clock>,
}

impl Signed {
    fn check(&self, request: &Request) -> Result<()> {
        let (path, query) = (request.uri().path(), request.uri().query().unwrap_or_default());
        match check(&self.encrypter, path, query, &self.ignored, self.clock.unix()) {
            Ok(()) => Ok(()),
            Err(Refusal::Changed) => Err(Error::forbidden(
                "This link is not complete, or was changed. Please open it once more from where you got it.",
            )
            .with_code("signature_invalid")),
            Err(Refusal::Expired) => {
                Err(Error::new(StatusCode::GONE, "This link is over. Please ask for a new one.")
                    .with_code("signature_expired"))
            }
        }
    }
}

impl Guard for Signed {
    fn name(&self) -> String {
        match self.ignored.is_empty() {
            true => "signed".into(),
            false => format!("signed:{}", self.ignored.join(",")),
        }
    }

    fn handle(&self, request: Request, next: Next) -> GuardFuture<'_> {
        Box::pin(async move {
            self.check(&request)?;
            Ok(next.run(request).await)
        })
    }

    fn refuses_with(&self) -> &[StatusCode] {
        &[StatusCode::FORBIDDEN, StatusCode::GONE]
    }
}
