use std::sync::Arc;

use housekey_core::{Error, Result};
use housekey_http::guard::{GuardArguments, GuardFuture};
use housekey_http::{Guard, Next, Request};
use http::StatusCode;

use super::auth::turn_away;
use crate::Auth;
use crate::current::Current;
use crate::gate::{Gate, Target};

/// `can:<ability>`, or `can:<ability>,<model>` for an ability of a policy that needs no single thing: `can:create,post`.
///
/// Made once per route while the app boots: an ability that does not exist is found then.
// spec: MID-5
pub(crate) fn can(arguments: &GuardArguments<'_>) -> Result<Can> {
    let gate: Arc<Gate> = arguments.services().get().unwrap_or_default();
    let (ability, target) = match *arguments.values() {
        [ability] if !ability.is_empty() => (ability, Target::Nothing),
        [ability, model] => (ability, gate.model(model)?),
        _ => return Err(Error::internal("write `can:<ability>`, or `can:<ability>,<model>`")),
    };
    gate.expect(ability, target)?;
    Ok(Can { auth: Auth::of(arguments.services())?, ability: ability.to_owned(), gate, target })
}

pub(crate) struct Can {
    auth: Arc<Auth>,
    gate: Arc<Gate>,
    ability: String,
    target: Target,
}

impl Guard for Can {
    fn name(&self) -> String {
        format!("can:{}", self.ability)
    }

    fn handle(&self, request: Request, next: Next) -> GuardFuture<'_> {
        Box::pin(async move {
            let who = Current::find().map(|current| current.known()).transpose()?.flatten();
            let user = who.as_ref().map(|who| who.user.as_ref());
            let decision = self.gate.decide(user, &self.ability, self.target.into(), true).await?;
            if decision.needs_sign_in() {
                return turn_away(&self.auth);
            }
            decision.authorize()?;
            Ok(next.run(request).await)
        })
    }

    fn refuses_with(&self) -> &[StatusCode] {
        &[StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN]
    }
}
