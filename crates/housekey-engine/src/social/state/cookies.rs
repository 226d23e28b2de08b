//! The cookies that bind a flow to the browser in which it began.
//!
//! The reference has one per browser, so that a second tab breaks the first. Here every flow has one of its own,
//! `state.<when>.<first characters of the state>`; beside it stands the reference's, which the newest flow owns, so that
//! either engine can end what the other began.

use crate::cookies::{CookieSpec, Jar};

/// The part of the state that the name of its cookie carries: enough to tell flows apart, and useless by itself.
const TAG: usize = 10;

/// The name of a flow's own cookie.
pub(super) fn name_of(spec: &CookieSpec, state: &str, unix_seconds: i64) -> String {
    format!("{}.{unix_seconds:010x}.{}", spec.name(), tag(state))
}

/// The names of the cookies in which a state may lie: the flow's own, and the one that the reference knows.
pub(super) fn names_for(jar: &Jar, spec: &CookieSpec, state: &str) -> Vec<String> {
    let suffix = format!(".{}", tag(state));
    let own = flows(jar, spec).filter(|name| name.ends_with(&suffix)).map(str::to_owned);
    let shared = jar.get(spec.name()).map(|_| spec.name().to_owned());
    own.chain(shared).collect()
}

/// The cookies of the oldest flows, of which a browser carries more than it should, now that one more begins. What is never
/// finished goes by itself after some minutes; this is for whoever begins very many.
pub(super) fn surplus(jar: &Jar, spec: &CookieSpec, most: usize) -> Vec<String> {
    let mut names: Vec<_> = flows(jar, spec).map(str::to_owned).collect();
    // When it began is written with as many characters in every name.
    names.sort_unstable();
    let over = (names.len() + 1).saturating_sub(most);
    names.truncate(over);
    names
}

/// Whether the browser has cookies of any flow: for the log.
pub(super) fn has_any(jar: &Jar, spec: &CookieSpec) -> bool {
    jar.get(spec.name()).is_some() || flows(jar, spec).next().is_some()
}

fn flows<'a>(jar: &'a Jar, spec: &'a CookieSpec) -> impl Iterator<Item = &'a str> {
    let is_flow = |name: &&str| {
        let rest = name.strip_prefix(spec.name()).and_then(|rest| rest.strip_prefix('.'));
        rest.is_some_and(|rest| rest.contains('.'))
    };
    jar.names_with(spec.name()).filter(is_flow)
}

fn tag(state: &str) -> &str {
    state.get(..TAG).unwrap_or(state)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::EngineOptions;
    use crate::url::BaseUrl;

    fn spec() -> CookieSpec {
        let options = EngineOptions::default();
        CookieSpec::new(&options, &BaseUrl::parse(&options).unwrap(), "state")
    }

    #[test]
    fn every_flow_finds_its_own_cookie() {
        let (spec, mut jar) = (spec(), Jar::default());
        let states: Vec<_> = (0..20).map(|number| format!("{number:02}-of-twenty-flows")).collect();
        for state in &states {
            jar.put(&name_of(&spec, state, 1_700_000_000), state.clone());
        }
        jar.put(spec.name(), states[19].clone());
        for state in &states {
            let names = names_for(&jar, &spec, state);
            assert!(names.iter().any(|name| jar.get(name) == Some(state)), "{state}: {names:?}");
        }
        assert!(names_for(&Jar::default(), &spec, "x").is_empty());
    }

    #[test]
    fn the_oldest_flows_make_room() {
        let (spec, mut jar) = (spec(), Jar::default());
        for number in 0..5_i64 {
            jar.put(&name_of(&spec, &format!("state-{number}-state"), 1_700_000_000 + number), String::new());
        }
        assert!(surplus(&jar, &spec, 6).is_empty());
        assert_eq!(
            surplus(&jar, &spec, 4),
            [name_of(&spec, "state-0-state", 1_700_000_000), name_of(&spec, "state-1-state", 1_700_000_001),]
        );
    }

    #[test]
    fn a_state_of_any_text_is_no_trouble() {
        let (spec, jar) = (spec(), Jar::default());
        for state in ["", "é", "ééééééé", "short"] {
            assert!(names_for(&jar, &spec, state).is_empty());
        }
    }
}
