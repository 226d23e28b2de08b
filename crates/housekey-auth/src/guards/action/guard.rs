use std::sync::Arc;

use housekey_core::{Error, Result};
use housekey_http::guard::{GuardArguments, GuardFuture};
use housekey_http::validation::flash_unread;
use housekey_http::{Guard, Next, Request};
use http::StatusCode;

use super::check::{Attempt, Lacking, lacking};
use crate::current::Current;
use crate::guards::{auth, confirm, verified};
use crate::{Action, Auth, Demand, api};

/// `action:delete-account`: for who brings what `demands` in `config/auth.rs` asks for. The engine's endpoint of the same
/// action asks for the same.
// spec: SEC-1
pub(crate) fn action(arguments: &GuardArguments<'_>) -> Result<ActionGuard> {
    let auth = Auth::of(arguments.services())?;
    let action: Action = arguments.get(0).unwrap_or_default().parse().map_err(Error::internal)?;
    let demands = auth.config().demands.of(action).to_vec();
    let refuses_with = demands.iter().flat_map(statuses).copied().collect();
    Ok(ActionGuard { auth, action, demands, refuses_with })
}

pub(crate) struct ActionGuard {
    auth: Arc<Auth>,
    action: Action,
    demands: Vec<Demand>,
    refuses_with: Vec<StatusCode>,
}

impl Guard for ActionGuard {
    fn name(&self) -> String {
        format!("action:{}", self.action)
    }

    fn handle(&self, request: Request, next: Next) -> GuardFuture<'_> {
        Box::pin(async move {
            let Some(who) = Current::find().map(|current| current.known()).transpose()?.flatten() else {
                return auth::reject_guest(&self.auth);
            };
            let attempt = Attempt {
                what: self.action.name(),
                user: &who.user,
                session: who.session.as_deref(),
                brings_password: false,
            };
            let lacking = lacking(&self.auth, &api()?, &self.demands, &attempt).await?;
            match lacking {
                None => Ok(next.run(request).await),
                Some(Lacking::VerifiedAddress) => verified::reject_unverified(&self.auth),
                Some(Lacking::ConfirmedPassword) => confirm::ask(who.session.as_deref(), request).await,
                Some(Lacking::TooOften(wait)) => {
                    flash_unread(&request).await;
                    Err(Error::too_many_requests(wait))
                }
            }
        })
    }

    fn refuses_with(&self) -> &[StatusCode] {
        &self.refuses_with
    }
}

fn statuses(demand: &Demand) -> &'static [StatusCode] {
    match demand {
        Demand::Verified => &[StatusCode::FORBIDDEN],
        Demand::PasswordConfirm => &[StatusCode::UNAUTHORIZED, StatusCode::LOCKED],
        Demand::Throttle { .. } => &[StatusCode::TOO_MANY_REQUESTS],
    }
}
