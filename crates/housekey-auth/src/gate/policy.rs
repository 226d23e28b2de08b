use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use super::ability::kind::{Nothing, Of};
use super::ability::{Ability, IntoAbility};
use super::hook::{Hook, IntoHook};
use super::subject::Target;

/// The abilities that are about one model, usually in a file of their own: `src/policies/post_policy.rs`, which
/// `housekey make:policy post` writes.
///
/// ```
/// use housekey_auth::User;
/// use housekey_auth::gate::{Decision, Policy, PolicyBuilder};
///
/// struct Post { author_id: String }
///
/// struct PostPolicy;
///
/// impl Policy for PostPolicy {
///     type Model = Post;
///
///     fn abilities(self, post: &mut PolicyBuilder<Post>) {
///         post.define("create", Self::create);
///         post.define("update", Self::update);
///     }
/// }
///
/// impl PostPolicy {
///     fn create(user: &User) -> bool {
///         user.email_verified
///     }
///
///     fn update(user: &User, post: &Post) -> Decision {
///         match user.id == post.author_id {
///             true => Decision::allow(),
///             false => Decision::deny("You do not own this post."),
///         }
///     }
/// }
/// ```
pub trait Policy: Send + 'static {
    type Model: Send + Sync + 'static;

    fn abilities(self, policy: &mut PolicyBuilder<Self::Model>);
}

/// Where a [`Policy`] names its abilities.
pub struct PolicyBuilder<M> {
    pub(super) abilities: Vec<(String, Target, Ability)>,
    pub(super) before: Vec<Arc<Hook>>,
    model: PhantomData<fn() -> M>,
}

impl<M: Send + Sync + 'static> PolicyBuilder<M> {
    pub(super) fn new() -> Self {
        Self { abilities: Vec::new(), before: Vec::new(), model: PhantomData }
    }

    /// Defines an ability. One that takes only the user is about the kind of thing: `can("create", model::<Post>())`.
    pub fn define<Kind>(&mut self, name: &str, ability: impl IntoAbility<Kind>) -> &mut Self
    where
        Kind: PolicyAbility<M>,
    {
        let ability = ability.into_ability();
        let target = match ability.target {
            Target::Nothing => Target::kind::<M>(),
            about => about,
        };
        self.abilities.push((name.to_owned(), target, ability));
        self
    }

    /// Asks this function before any ability of this policy; after those of [`Gate::before`](super::Gate::before).
    pub fn before<Kind>(&mut self, hook: impl IntoHook<Kind>) -> &mut Self {
        self.before.push(Arc::new(hook.into_hook()));
        self
    }
}

/// The kinds of abilities that fit a policy: those about its model, and those about nothing in particular.
#[diagnostic::on_unimplemented(
    message = "this ability is about something else than the policy's model `{M}`"
)]
pub trait PolicyAbility<M> {}

impl<Who, When, M> PolicyAbility<M> for (Who, When, Nothing) {}

impl<Who, When, M> PolicyAbility<M> for (Who, When, Of<M>) {}

impl<M> fmt::Debug for PolicyBuilder<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.abilities.iter().map(|(name, ..)| name)).finish()
    }
}
