use std::panic::AssertUnwindSafe;
use std::sync::{Arc, PoisonError, RwLock};

use futures_util::FutureExt;
use housekey_core::{Error, Result, ServicesBuilder};

use super::definitions::Definition;
use super::pattern::is_name;
use super::{Channel, Channels};

/// Every channel of an app. It is filled while the application boots; clones are the same table.
#[derive(Clone, Default)]
pub(crate) struct ChannelTable(Arc<RwLock<Vec<Definition>>>);

impl ChannelTable {
    /// The table that these services share.
    pub(crate) fn of(services: &mut ServicesBuilder) -> Self {
        services.shared()
    }

    pub(crate) fn add(&self, mut channels: Channels) -> Result<()> {
        channels.check()?;
        let mut table = self.0.write().unwrap_or_else(PoisonError::into_inner);
        for new in channels.definitions {
            if let Some(other) = table.iter().find(|other| other.pattern.is_like(&new.pattern)) {
                let (one, other) = (other.pattern.text(), new.pattern.text());
                return Err(Error::internal(format!(
                    "the channels `{one}` and `{other}` are the same; leave one of them out"
                )));
            }
            table.push(new);
        }
        table.sort_by_key(|definition| definition.pattern.rank());
        Ok(())
    }

    /// Whether whoever is present may hear a channel. A name that no channel has is a 404, and so is one that is none.
    pub(crate) async fn authorize(&self, name: &str) -> Result<()> {
        let (definition, channel) = self.find(name).ok_or_else(Error::not_found)?;
        let asked = AssertUnwindSafe(async { (definition.rule)(channel).await }).catch_unwind().await;
        let decision = asked.unwrap_or_else(|_| {
            Err(Error::internal(format!("the rule of the channel `{}` panicked", definition.pattern.text())))
        });
        decision?.authorize()
    }

    /// Makes sure that somebody could hear it: what is said in a channel that nobody defined is a mistake.
    pub(crate) fn expect(&self, name: &str) -> Result<()> {
        if self.find(name).is_some() {
            return Ok(());
        }
        let table = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let known: Vec<&str> = table.iter().map(|definition| definition.pattern.text()).collect();
        let known = if known.is_empty() { "none is defined".to_owned() } else { known.join(", ") };
        Err(Error::internal(format!(
            "no channel is called {name:?} (channels: {known}); define it with `.live(|live| …)` on the app"
        )))
    }

    fn find(&self, name: &str) -> Option<(Definition, Channel)> {
        if !is_name(name) {
            return None;
        }
        let table = self.0.read().unwrap_or_else(PoisonError::into_inner);
        table.iter().find_map(|definition| {
            let parameters = definition.pattern.matches(name)?;
            Some((definition.clone(), Channel::new(name, parameters)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(define: impl FnOnce(&mut Channels)) -> Result<ChannelTable> {
        let (table, mut channels) = (ChannelTable::default(), Channels::default());
        define(&mut channels);
        table.add(channels).map(|()| table)
    }

    #[tokio::test]
    async fn a_word_comes_before_a_parameter() {
        let table = table(|live| {
            live.channel("books.{book}", async |_| false).public("books.new");
        });
        let table = table.unwrap();
        assert!(table.authorize("books.new").await.is_ok());
        assert_eq!(table.authorize("books.1").await.unwrap_err().status(), 403);
        assert_eq!(table.authorize("books").await.unwrap_err().status(), 404);
        assert_eq!(table.authorize("books.new\n").await.unwrap_err().status(), 404);
    }

    #[test]
    fn what_is_defined_twice_does_not_boot() {
        let error = table(|live| {
            live.public("books.{book}").public("books.{id}");
        });
        let error = error.err().unwrap().to_string();
        assert!(error.contains("`books.{book}` and `books.{id}`"), "{error}");
    }

    #[tokio::test]
    async fn a_rule_that_panics_lets_nobody_in() {
        let table = table(|live| {
            live.channel("books.{book}", async |channel: Channel| {
                channel.name().is_empty() || panic!("no books")
            });
        });
        assert_eq!(table.unwrap().authorize("books.1").await.unwrap_err().status(), 500);
    }
}
