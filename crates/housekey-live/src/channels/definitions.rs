use std::fmt;
use std::sync::Arc;

use housekey_auth::engine::BoxFuture;
use housekey_auth::gate::{Decision, IntoDecision, gate};
use housekey_core::{Error, Result};
use housekey_database::Model;

use super::Channel;
use super::pattern::Pattern;

/// Where an app writes down its channels and who may hear them: see [`AppLive::live`](crate::AppLive::live).
///
/// A name is words with dots between, `books.1.loans`. A part in braces is a parameter. What is not written down does not exist, for
/// nobody.
#[derive(Default)]
pub struct Channels {
    pub(super) definitions: Vec<Definition>,
    mistakes: Vec<Error>,
}

#[derive(Clone)]
pub(super) struct Definition {
    pub(super) pattern: Pattern,
    pub(super) rule: Rule,
}

pub(super) type Rule = Arc<dyn Fn(Channel) -> BoxFuture<'static, Result<Decision>> + Send + Sync>;

impl Channels {
    /// Anybody may hear it, who is signed in and who is not.
    pub fn public(&mut self, pattern: &str) -> &mut Self {
        self.channel(pattern, async |_| Decision::allow())
    }

    /// Who may do this with the row that the name means may hear it. The gate decides, by an ability about the model or a policy.
    ///
    /// ```
    /// # use housekey_database::{FromRow, Model};
    /// # #[derive(FromRow, Model)]
    /// # #[row(crate = "housekey_database")]
    /// # #[model(table = "books")]
    /// # struct Book { id: i64 }
    /// use housekey_live::Channels;
    ///
    /// pub fn channels(live: &mut Channels) {
    ///     live.can::<Book>("books.{book}", "view");
    /// }
    /// # channels(&mut Channels::default());
    /// ```
    pub fn can<M: Model>(&mut self, pattern: &str, ability: &str) -> &mut Self {
        let ability = ability.to_owned();
        self.channel(pattern, move |channel: Channel| {
            let ability = ability.clone();
            async move {
                let row = channel.bound::<M>().await?;
                gate().inspect(&ability, &row).await
            }
        })
    }

    /// Who may hear it is said by a function: with a `bool`, a [`Decision`], or a `Result` of one. `user()`, `gate()` and
    /// `organization()` answer for whoever asks, as they do in a handler.
    ///
    /// ```
    /// use housekey_auth::{organization, user};
    /// use housekey_live::{Channel, Channels};
    ///
    /// pub fn channels(live: &mut Channels) {
    ///     live.channel("people.{person}", async |channel: Channel| {
    ///         user().is_some_and(|user| user.id == channel.param("person"))
    ///     });
    ///     live.channel("organizations.{organization}", async |channel: Channel| {
    ///         organization().is_some_and(|active| active.id() == channel.param("organization"))
    ///     });
    /// }
    /// # channels(&mut Channels::default());
    /// ```
    pub fn channel<F>(
        &mut self,
        pattern: &str,
        rule: impl Fn(Channel) -> F + Send + Sync + 'static,
    ) -> &mut Self
    where
        F: Future<Output: IntoDecision> + Send + 'static,
    {
        let rule: Rule = Arc::new(move |channel| {
            let deciding = rule(channel);
            Box::pin(async move { deciding.await.into_decision() })
        });
        match Pattern::parse(pattern) {
            Ok(pattern) => self.definitions.push(Definition { pattern, rule }),
            Err(mistake) => self.mistakes.push(mistake),
        }
        self
    }

    pub(super) fn check(&mut self) -> Result<()> {
        if self.mistakes.is_empty() { Ok(()) } else { Err(self.mistakes.swap_remove(0)) }
    }
}

impl fmt::Debug for Channels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.definitions.iter().map(|definition| definition.pattern.text());
        f.debug_list().entries(names).finish()
    }
}
