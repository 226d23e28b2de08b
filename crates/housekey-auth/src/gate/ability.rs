use std::fmt;

use housekey_core::{Error, Result};
use housekey_engine::{BoxFuture, User};

use super::decision::{Decision, IntoDecision};
use super::subject::{AnySubject, Target};

/// A function that can be an ability.
///
/// It takes the user, as `&User` if only members may be asked about and as `Option<&User>` if guests may too; then,
/// if it is about a thing, `&Thing`. It answers what [`IntoDecision`] takes, at once or as an `async` function.
///
/// Closures say the types of what they take: `|user: &User, post: &Post| …`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an ability",
    note = "an ability is a function of `&User` or `Option<&User>`, and perhaps of a thing: `|user: &User, post: &Post| …`",
    note = "a closure must say the types of what it takes"
)]
pub trait IntoAbility<Kind> {
    #[doc(hidden)]
    fn into_ability(self) -> Ability;
}

/// An ability whose form has been forgotten.
#[doc(hidden)]
pub struct Ability {
    pub(crate) takes_guests: bool,
    /// What it is about, when it stands in no policy.
    pub(crate) target: Target,
    call: Box<Call>,
}

type Call = dyn for<'a> Fn(Option<&'a User>, Option<&'a AnySubject>) -> Answer<'a> + Send + Sync;

/// What an ability says: at once, or after waiting for something.
pub(crate) enum Answer<'a> {
    Now(Result<Decision>),
    Later(BoxFuture<'a, Result<Decision>>),
}

impl Ability {
    fn new<C>(takes_guests: bool, target: Target, call: C) -> Self
    where
        C: for<'a> Fn(Option<&'a User>, Option<&'a AnySubject>) -> Answer<'a> + Send + Sync + 'static,
    {
        Self { takes_guests, target, call: Box::new(call) }
    }

    pub(crate) fn ask<'a>(&self, user: Option<&'a User>, thing: Option<&'a AnySubject>) -> Answer<'a> {
        (self.call)(user, thing)
    }
}

impl fmt::Debug for Ability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ability")
            .field("target", &self.target)
            .field("takes_guests", &self.takes_guests)
            .finish_non_exhaustive()
    }
}

/// The kinds of abilities, which let one name take every form of function.
#[doc(hidden)]
pub(super) mod kind {
    use std::marker::PhantomData;

    /// It takes `&User`.
    #[derive(Debug)]
    pub struct Member;
    /// It takes `Option<&User>`.
    #[derive(Debug)]
    pub struct Anyone;
    /// It answers at once.
    #[derive(Debug)]
    pub struct Now;
    /// It is an `async` function.
    #[derive(Debug)]
    pub struct Later;
    /// It is about nothing in particular.
    #[derive(Debug)]
    pub struct Nothing;
    /// It is about a thing.
    #[derive(Debug)]
    pub struct Of<T>(PhantomData<T>);
}

use kind::{Anyone, Later, Member, Nothing, Now, Of};

/// An `async` function of arguments that live for `'a`. The lifetime must be part of the trait: what such a function
/// returns borrows from what it was given.
#[doc(hidden)]
pub trait Waits<'a, Arguments>: Send + Sync {
    fn begin(&self, arguments: Arguments) -> BoxFuture<'a, Result<Decision>>;
}

impl<'a, F, Fut, A> Waits<'a, (A,)> for F
where
    F: Fn(A) -> Fut + Send + Sync,
    Fut: Future<Output: IntoDecision> + Send + 'a,
{
    fn begin(&self, (user,): (A,)) -> BoxFuture<'a, Result<Decision>> {
        let asked = self(user);
        Box::pin(async move { asked.await.into_decision() })
    }
}

impl<'a, F, Fut, A, B> Waits<'a, (A, B)> for F
where
    F: Fn(A, B) -> Fut + Send + Sync,
    Fut: Future<Output: IntoDecision> + Send + 'a,
{
    fn begin(&self, (user, thing): (A, B)) -> BoxFuture<'a, Result<Decision>> {
        let asked = self(user, thing);
        Box::pin(async move { asked.await.into_decision() })
    }
}

/// How each kind of ability gets at the user.
macro_rules! abilities_of {
    ($who:ident, $user:ty, $user_a:ty, takes_guests: $takes_guests:literal, $user_of:expr) => {
        impl<F, R> IntoAbility<($who, Now, Nothing)> for F
        where
            F: Fn($user) -> R + Send + Sync + 'static,
            R: IntoDecision,
        {
            fn into_ability(self) -> Ability {
                Ability::new($takes_guests, Target::Nothing, move |user, _| match $user_of(user) {
                    Some(user) => Answer::Now(self(user).into_decision()),
                    None => nobody(),
                })
            }
        }

        impl<F, R, T> IntoAbility<($who, Now, Of<T>)> for F
        where
            F: Fn($user, &T) -> R + Send + Sync + 'static,
            R: IntoDecision,
            T: Send + Sync + 'static,
        {
            fn into_ability(self) -> Ability {
                Ability::new($takes_guests, Target::one::<T>(), move |user, thing| {
                    match ($user_of(user), cast::<T>(thing)) {
                        (Some(user), Some(thing)) => Answer::Now(self(user, thing).into_decision()),
                        (None, _) => nobody(),
                        (_, None) => misplaced::<T>(),
                    }
                })
            }
        }

        impl<F> IntoAbility<($who, Later, Nothing)> for F
        where
            F: for<'a> Waits<'a, ($user_a,)> + 'static,
        {
            fn into_ability(self) -> Ability {
                fn call<'a, F>(ability: &F, user: Option<&'a User>) -> Answer<'a>
                where
                    F: Waits<'a, ($user_a,)>,
                {
                    match $user_of(user) {
                        Some(user) => Answer::Later(ability.begin((user,))),
                        None => nobody(),
                    }
                }
                Ability::new($takes_guests, Target::Nothing, move |user, _| call(&self, user))
            }
        }

        impl<F, T> IntoAbility<($who, Later, Of<T>)> for F
        where
            F: for<'a> Waits<'a, ($user_a, &'a T)> + 'static,
            T: Send + Sync + 'static,
        {
            fn into_ability(self) -> Ability {
                fn call<'a, F, T>(
                    ability: &F,
                    user: Option<&'a User>,
                    thing: Option<&'a AnySubject>,
                ) -> Answer<'a>
                where
                    F: Waits<'a, ($user_a, &'a T)>,
                    T: 'static,
                {
                    match ($user_of(user), cast::<T>(thing)) {
                        (Some(user), Some(thing)) => Answer::Later(ability.begin((user, thing))),
                        (None, _) => nobody(),
                        (_, None) => misplaced::<T>(),
                    }
                }
                Ability::new($takes_guests, Target::one::<T>(), move |user, thing| {
                    call::<F, T>(&self, user, thing)
                })
            }
        }
    };
}

abilities_of!(Member, &User, &'a User, takes_guests: false, std::convert::identity);
abilities_of!(Anyone, Option<&User>, Option<&'a User>, takes_guests: true, Some);

/// The gate asks no ability of members about a guest.
fn nobody<'a>() -> Answer<'a> {
    Answer::Now(Ok(Decision::sign_in_first()))
}

/// The gate looks abilities up by the type of the thing.
fn misplaced<'a, T>() -> Answer<'a> {
    let wanted = std::any::type_name::<T>();
    Answer::Now(Err(Error::internal(format!("an ability about a {wanted} was asked about something else"))))
}

fn cast<T: 'static>(thing: Option<&AnySubject>) -> Option<&T> {
    thing?.downcast_ref()
}
