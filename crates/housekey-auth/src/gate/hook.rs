use std::fmt;

use housekey_core::Result;
use housekey_engine::{BoxFuture, User};

use super::ability::kind::{Anyone, Later, Member, Now};
use super::decision::{Decision, IntoOpinion};

/// A function that can be asked before any ability: it takes the user, as `&User` or `Option<&User>`, and the name of
/// the ability; it answers `None` when it has no opinion. One that takes `&User` is not asked about guests.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a hook of the gate",
    note = "a hook is a function of the user and the ability's name: `|user: &User, ability: &str| …`",
    note = "a closure must say the types of what it takes"
)]
pub trait IntoHook<Kind> {
    #[doc(hidden)]
    fn into_hook(self) -> Hook;
}

/// A hook whose form has been forgotten.
#[doc(hidden)]
pub struct Hook(Box<Call>);

type Call = dyn for<'a> Fn(Option<&'a User>, &'a str) -> Opinion<'a> + Send + Sync;

/// What a hook says: at once, or after waiting for something.
pub(crate) enum Opinion<'a> {
    Now(Result<Option<Decision>>),
    Later(BoxFuture<'a, Result<Option<Decision>>>),
}

impl Hook {
    pub(crate) fn ask<'a>(&self, user: Option<&'a User>, ability: &'a str) -> Opinion<'a> {
        (self.0)(user, ability)
    }
}

impl fmt::Debug for Hook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hook")
    }
}

/// An `async` function of the user and the ability's name, which live for `'a`.
#[doc(hidden)]
pub trait WaitsAsHook<'a, User>: Send + Sync {
    fn begin(&self, user: User, ability: &'a str) -> BoxFuture<'a, Result<Option<Decision>>>;
}

impl<'a, F, Fut, U> WaitsAsHook<'a, U> for F
where
    F: Fn(U, &'a str) -> Fut + Send + Sync,
    Fut: Future<Output: IntoOpinion> + Send + 'a,
{
    fn begin(&self, user: U, ability: &'a str) -> BoxFuture<'a, Result<Option<Decision>>> {
        let asked = self(user, ability);
        Box::pin(async move { asked.await.into_opinion() })
    }
}

macro_rules! hooks_of {
    ($who:ident, $user:ty, $user_a:ty, $user_of:expr) => {
        impl<F, R> IntoHook<($who, Now)> for F
        where
            F: Fn($user, &str) -> R + Send + Sync + 'static,
            R: IntoOpinion,
        {
            fn into_hook(self) -> Hook {
                Hook(Box::new(move |user, ability: &str| match $user_of(user) {
                    Some(user) => Opinion::Now(self(user, ability).into_opinion()),
                    None => Opinion::Now(Ok(None)),
                }))
            }
        }

        impl<F> IntoHook<($who, Later)> for F
        where
            F: for<'a> WaitsAsHook<'a, $user_a> + 'static,
        {
            fn into_hook(self) -> Hook {
                fn call<'a, F>(hook: &F, user: Option<&'a User>, ability: &'a str) -> Opinion<'a>
                where
                    F: WaitsAsHook<'a, $user_a>,
                {
                    let Some(user) = $user_of(user) else { return Opinion::Now(Ok(None)) };
                    Opinion::Later(hook.begin(user, ability))
                }
                Hook(Box::new(move |user, ability| call(&self, user, ability)))
            }
        }
    };
}

hooks_of!(Member, &User, &'a User, std::convert::identity);
hooks_of!(Anyone, Option<&User>, Option<&'a User>, Some);
