use std::marker::PhantomData;
use std::sync::Arc;

use housekey_core::{Error, Result};
use housekey_database::Model;
use housekey_http::guard::{GuardArguments, GuardFuture, GuardSpec};
use housekey_http::{Bound, Guard, Next, Request, bound_parameter};
use http::StatusCode;

use super::auth::reject_guest;
use crate::Auth;
use crate::current::Current;
use crate::gate::{About, Decision, Gate, Subject, Target};

/// `can:<ability>`, or `can:<ability>,<model>` for an ability of a policy that needs no single thing: `can:create,post`.
///
/// Made once per route while the app boots: an ability that does not exist is found then.
// spec: MID-5
pub(crate) fn can_named(arguments: &GuardArguments<'_>) -> Result<Can> {
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
            let decision = ask(&self.gate, &self.ability, self.target.into()).await?;
            if decision.needs_sign_in() {
                return reject_guest(&self.auth);
            }
            decision.authorize()?;
            Ok(next.run(request).await)
        })
    }

    fn refuses_with(&self) -> &[StatusCode] {
        &[StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN]
    }
}

async fn ask(gate: &Gate, ability: &str, about: About<'_>) -> Result<Decision> {
    let who = Current::find().map(|current| current.known()).transpose()?.flatten();
    gate.decide(who.as_ref().map(|who| who.user.as_ref()), ability, about, true).await
}

/// Asks the gate about the row that the address names, before anything of the request's body is read: who may not change a
/// book is told so, and not what is wrong with their form.
///
/// ```
/// # use housekey_database::{FromRow, Model};
/// # #[derive(FromRow, Model)] #[row(crate = "housekey_database")] #[model(table = "books")]
/// # struct Book { id: i64 }
/// # async fn update() {}
/// use housekey_auth::guards::can;
/// use housekey_http::Routes;
///
/// fn web(route: &mut Routes) {
///     route.put("/books/{book}", update).middleware(can::<Book>("update"));
/// }
/// ```
///
/// The row is found as `Bound<Book>` finds it, and the handler's `Bound<Book>` is that row: it is read once. One that is not there
/// is a 404. An ability that does not exist is found at boot.
// spec: MID-5, DAT-3
pub fn can<M: Model>(ability: &str) -> GuardSpec {
    let label = format!("can:{ability},{}", bound_parameter::<M>());
    let ability = ability.to_owned();
    let factory = move |arguments: &GuardArguments<'_>| {
        let gate: Arc<Gate> = arguments.services().get().unwrap_or_default();
        gate.expect(&ability, Target::one::<M>())?;
        let auth = Auth::of(arguments.services())?;
        Ok(CanBound::<M> { auth, gate, ability: ability.clone(), model: PhantomData })
    };
    GuardSpec::Made { label, factory: Arc::new(factory) }
}

struct CanBound<M> {
    auth: Arc<Auth>,
    gate: Arc<Gate>,
    ability: String,
    model: PhantomData<fn() -> M>,
}

impl<M: Model> Guard for CanBound<M> {
    fn name(&self) -> String {
        format!("can:{},{}", self.ability, bound_parameter::<M>())
    }

    fn handle(&self, mut request: Request, next: Next) -> GuardFuture<'_> {
        Box::pin(async move {
            let row = Bound::<M>::of_request().await?;
            let decision = ask(&self.gate, &self.ability, (&row.0).about()).await?;
            if decision.needs_sign_in() {
                return reject_guest(&self.auth);
            }
            decision.authorize()?;
            row.hand_on(&mut request);
            Ok(next.run(request).await)
        })
    }

    fn refuses_with(&self) -> &[StatusCode] {
        &[StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN, StatusCode::NOT_FOUND]
    }
}
