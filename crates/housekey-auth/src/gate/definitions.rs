use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use housekey_core::translation::t;
use housekey_core::{Error, Result};
use housekey_engine::User;

use super::ability::{Ability, Answer, IntoAbility};
use super::decision::Decision;
use super::hook::{Hook, IntoHook, Opinion};
use super::policy::{Policy, PolicyBuilder};
use super::subject::{About, Subject, Target, Type};
use crate::organization::{self, ActiveOrganization};

/// The abilities of an app. A service of the application; [`gate()`](super::gate()) asks it.
///
/// A question goes through four hands: the hooks of [`before`](Self::before), those of the thing's policy, the ability,
/// the hooks of [`after`](Self::after). The first of the former three that has an opinion decides.
#[derive(Clone, Default)]
pub struct Gate {
    abilities: BTreeMap<String, Vec<(Target, Arc<Ability>)>>,
    before: Vec<Arc<Hook>>,
    /// The hooks of policies, by the model they are about.
    policies: Vec<(Type, Vec<Arc<Hook>>)>,
    after: Vec<Arc<After>>,
    mistakes: Vec<String>,
}

type After = dyn Fn(Option<&User>, &str, &Decision) -> Option<Decision> + Send + Sync;

impl Gate {
    /// Defines an ability: a function of the user, and perhaps of a thing. See [`IntoAbility`] for its forms.
    ///
    /// ```
    /// use housekey_auth::User;
    /// use housekey_auth::gate::Gate;
    ///
    /// struct Post { author_id: String }
    ///
    /// let mut gate = Gate::default();
    /// gate.define("edit-settings", |user: &User| user.email_verified);
    /// gate.define("read-news", |_: Option<&User>| true);
    /// gate.define("update", |user: &User, post: &Post| user.id == post.author_id);
    /// gate.define("publish", async |user: &User, post: &Post| user.id == post.author_id);
    /// ```
    ///
    /// An ability about an [`ActiveOrganization`] is about the one that the request is for: `can("rename-team", ())` and the guard
    /// `can:rename-team` fill it in, and deny who is in none.
    ///
    /// ```
    /// use housekey_auth::gate::{Gate, permission};
    /// use housekey_auth::{ActiveOrganization, User};
    ///
    /// let mut gate = Gate::default();
    /// gate.define("invite-members", permission("invitation", ["create"]));
    /// gate.define("rename-team", |user: &User, organization: &ActiveOrganization| {
    ///     user.email_verified && organization.has_role("owner")
    /// });
    /// ```
    pub fn define<Kind>(&mut self, name: &str, ability: impl IntoAbility<Kind>) -> &mut Self {
        let ability = ability.into_ability();
        let target = ability.target;
        self.insert(name, target, ability);
        self
    }

    pub fn policy<P: Policy>(&mut self, policy: P) -> &mut Self {
        let mut builder = PolicyBuilder::new();
        policy.abilities(&mut builder);
        let model = Type::of::<P::Model>();
        for (name, target, ability) in builder.abilities {
            self.insert(&name, target, ability);
        }
        match self.policies.iter().any(|(other, _)| *other == model) {
            true => self.mistakes.push(format!("there are two policies for {}; make them one", model.name)),
            false => self.policies.push((model, builder.before)),
        }
        self
    }

    /// Asks this function before any ability. A decision of its own settles the matter: this is the place for
    /// superusers. It is not asked about abilities that do not exist.
    ///
    /// ```
    /// use housekey_auth::User;
    /// use housekey_auth::gate::{Decision, Gate};
    ///
    /// let mut gate = Gate::default();
    /// gate.before(|user: &User, _ability: &str| (user.email == "root@example.com").then(Decision::allow));
    /// ```
    pub fn before<Kind>(&mut self, hook: impl IntoHook<Kind>) -> &mut Self {
        self.before.push(Arc::new(hook.into_hook()));
        self
    }

    /// Shows this function every decision, to write it down or to overrule it. It can turn a yes into a no; a no stays
    /// one, so that no ability has to fear for its refusals.
    pub fn after(
        &mut self,
        hook: impl Fn(Option<&User>, &str, &Decision) -> Option<Decision> + Send + Sync + 'static,
    ) -> &mut Self {
        self.after.push(Arc::new(hook));
        self
    }

    fn insert(&mut self, name: &str, target: Target, ability: Ability) {
        let named = self.abilities.entry(name.to_owned()).or_default();
        if named.iter().any(|(other, _)| *other == target) {
            self.mistakes.push(format!("the ability {name:?} {target} is defined twice"));
        }
        named.push((target, Arc::new(ability)));
    }

    /// What is wrong with the definitions.
    pub(super) fn check(&self) -> Result<()> {
        self.mistakes.first().map_or(Ok(()), |mistake| Err(Error::internal(mistake.clone())))
    }

    /// Makes sure that a route's question has an answer.
    pub(crate) fn expect(&self, name: &str, target: Target) -> Result<()> {
        if self.find(name, target).is_some() || self.in_organization(name, target).is_some() {
            return Ok(());
        }
        Err(Error::internal(match self.abilities.get(name).and_then(|named| named.first()) {
            Some((Target::One(thing), _)) => format!(
                "the ability {name:?} is about a {0}, and in front of the handler there is none: call \
                 authorize({name:?}, &{1}) in the handler, or have it found by the address with guards::can::<{0}>({name:?})",
                thing.name,
                thing.route_name()
            ),
            Some((Target::Kind(model), _)) => {
                format!("the ability {name:?} belongs to a model: write `can:{name},{}`", model.route_name())
            }
            _ => format!("there is no ability {name:?} {target}; {}", self.known()),
        }))
    }

    /// The model that a route names.
    pub(crate) fn model(&self, route_name: &str) -> Result<Target> {
        let mut named = self.policies.iter().filter(|(model, _)| model.route_name() == route_name);
        match (named.next(), named.next()) {
            (Some((model, _)), None) => Ok(Target::Kind(*model)),
            (Some((one, _)), Some((other, _))) => Err(Error::internal(format!(
                "{route_name:?} could be {} or {}: ask in the handler instead",
                one.name, other.name
            ))),
            (None, _) => {
                let known: Vec<_> = self.policies.iter().map(|(model, _)| model.route_name()).collect();
                let known = if known.is_empty() { "there are none".to_owned() } else { known.join(", ") };
                Err(Error::internal(format!("no policy is about a {route_name:?} (policies: {known})")))
            }
        }
    }

    fn known(&self) -> String {
        if self.abilities.is_empty() {
            return "none is defined yet: add it with `.gate(|gate| …)` on the app".to_owned();
        }
        format!("known are: {}", self.abilities.keys().map(String::as_str).collect::<Vec<_>>().join(", "))
    }

    fn find(&self, name: &str, target: Target) -> Option<&Ability> {
        let named = self.abilities.get(name)?;
        named.iter().find(|(other, _)| *other == target).map(|(_, ability)| ability.as_ref())
    }

    /// The ability about the active organisation, where one was asked for that is about nothing in particular.
    fn in_organization(&self, name: &str, target: Target) -> Option<&Ability> {
        (target == Target::Nothing).then(|| self.find(name, Target::one::<ActiveOrganization>())).flatten()
    }

    /// Decides. With `may_wait` off, what would have to wait is an error instead.
    pub(crate) async fn decide(
        &self,
        user: Option<&User>,
        name: &str,
        about: About<'_>,
        may_wait: bool,
    ) -> Result<Decision> {
        if self.find(name, about.target).is_none() && self.in_organization(name, about.target).is_some() {
            return self.decide_in_organization(user, name, may_wait).await;
        }
        let Some(ability) = self.find(name, about.target) else {
            tracing::warn!(ability = name, "denied: no such ability {}; {}", about.target, self.known());
            return Ok(false.into());
        };
        let mut decision = match self.opinion(user, name, about.target.model(), may_wait).await? {
            Some(decision) => decision,
            None if user.is_none() && !ability.takes_guests => Decision::sign_in_first(),
            None => match ability.ask(user, about.thing) {
                Answer::Now(decision) => decision?,
                Answer::Later(decision) if may_wait => decision.await?,
                Answer::Later(_) => return Err(would_wait(name)),
            },
        };
        for hook in &self.after {
            if let Some(other) = hook(user, name, &decision)
                && decision.is_allowed()
            {
                decision = other;
            }
        }
        Ok(decision)
    }

    /// Decides about the organisation that the present user is in. Somebody else may be in another one, so for them there is
    /// none.
    // spec: ORG-4
    async fn decide_in_organization(
        &self,
        user: Option<&User>,
        name: &str,
        may_wait: bool,
    ) -> Result<Decision> {
        let Some(user) = user else { return Ok(Decision::sign_in_first()) };
        let active = organization::known()?.filter(|active| active.member.user_id == user.id);
        match active {
            Some(active) => Box::pin(self.decide(Some(user), name, (&*active).about(), may_wait)).await,
            None => Ok(Decision::deny(t("You are not in an organization."))),
        }
    }

    async fn opinion(
        &self,
        user: Option<&User>,
        name: &str,
        model: Option<Type>,
        may_wait: bool,
    ) -> Result<Option<Decision>> {
        let policy = self.policies.iter().find(|(other, _)| Some(*other) == model);
        let hooks = self.before.iter().chain(policy.into_iter().flat_map(|(_, hooks)| hooks));
        for hook in hooks {
            let opinion = match hook.ask(user, name) {
                Opinion::Now(opinion) => opinion?,
                Opinion::Later(opinion) if may_wait => opinion.await?,
                Opinion::Later(_) => return Err(would_wait(name)),
            };
            if opinion.is_some() {
                return Ok(opinion);
            }
        }
        Ok(None)
    }
}

fn would_wait(name: &str) -> Error {
    Error::internal(format!(
        "the ability {name:?} is asked without waiting, but it or a hook is async: ask `gate().allows(…).await` in \
         the handler and give the answer to the view"
    ))
}

impl fmt::Debug for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.abilities.keys()).finish()
    }
}
