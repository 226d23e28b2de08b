use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Action, Demand};

/// `demands` in `config/auth.rs`: which action on an account asks for what, at the app's routes and at the engine's
/// endpoints alike.
///
/// The default asks for whatever keeps somebody with a stolen session, or in front of an open browser, from taking the
/// account over. An app changes single lines of it:
///
/// ```
/// use housekey_auth::{Action, AuthConfig, Demand, Demands};
///
/// let config = AuthConfig {
///     demands: Demands::default()
///         .ask(Action::RenamePasskey, [])
///         .ask(Action::ChangeEmail, [Demand::Verified, Demand::PasswordConfirm, Demand::throttle(3, 60)])
///         // An endpoint that a plugin brings.
///         .ask_at("/organization/leave", [Demand::PasswordConfirm]),
///     ..Default::default()
/// };
/// assert_eq!(config.demands.of(Action::RenamePasskey), []);
/// assert_eq!(config.demands.of(Action::DeletePasskey), [Demand::PasswordConfirm]);
/// ```
///
/// What signs in or out, and what only reads, is no action: it asks for nothing here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Written", try_from = "Written")]
pub struct Demands {
    actions: BTreeMap<Action, Vec<Demand>>,
    /// By path below the base path: endpoints that no action of ours knows.
    endpoints: BTreeMap<String, Vec<Demand>>,
}

impl Default for Demands {
    fn default() -> Self {
        use Demand::{PasswordConfirm, Verified};
        // Where a password travels in the body, too many wrong ones must not be tried.
        let often = Demand::throttle(6, 1);
        let nobody = Self { actions: BTreeMap::new(), endpoints: BTreeMap::new() };
        nobody
            .ask(Action::ChangeEmail, [PasswordConfirm, often])
            .ask(Action::ChangePassword, [often])
            .ask(Action::DeleteAccount, [PasswordConfirm, often])
            .ask(Action::AddPasskey, [Verified, PasswordConfirm])
            .ask(Action::RenamePasskey, [PasswordConfirm])
            .ask(Action::DeletePasskey, [PasswordConfirm])
            .ask(Action::EnableTwoFactor, [Verified, PasswordConfirm, often])
            .ask(Action::ConfirmTwoFactor, [often])
            .ask(Action::DisableTwoFactor, [PasswordConfirm, often])
            .ask(Action::ViewTwoFactor, [PasswordConfirm, often])
            .ask(Action::RegenerateRecoveryCodes, [PasswordConfirm, often])
            .ask(Action::RevokeSessions, [PasswordConfirm])
            .ask(Action::SetPassword, [PasswordConfirm, often])
            .ask(Action::ConnectAccount, [PasswordConfirm, often])
            .ask(Action::DisconnectAccount, [PasswordConfirm, often])
            .ask(Action::CreateApiKey, [PasswordConfirm, often])
            .ask(Action::ChangeApiKey, [PasswordConfirm])
            .ask(Action::DeleteApiKey, [PasswordConfirm])
            // Who is talked into approving a stranger's device stops here, at the latest.
            .ask(Action::ApproveDevice, [PasswordConfirm, often])
            .ask(Action::DeleteOrganization, [PasswordConfirm, often])
            // Mails to strangers, with a name that somebody chose.
            .ask(Action::InviteMember, [Verified, Demand::throttle(20, 1)])
            .ask(Action::ChangeMemberRole, [PasswordConfirm])
            .ask(Action::RemoveMember, [PasswordConfirm])
            .ask(Action::ChangeOrganizationRoles, [PasswordConfirm])
            .ask(Action::CreateUser, [PasswordConfirm])
            .ask(Action::ChangeUser, [PasswordConfirm])
            .ask(Action::ChangeUserRole, [PasswordConfirm])
            .ask(Action::BanUser, [PasswordConfirm])
            .ask(Action::RemoveUser, [PasswordConfirm])
            .ask(Action::SetUserPassword, [PasswordConfirm])
            .ask(Action::EndUserSessions, [PasswordConfirm])
            .ask(Action::ImpersonateUser, [PasswordConfirm])
    }
}

impl Demands {
    /// The same table, but this action asks for exactly these.
    #[must_use]
    pub fn ask(mut self, action: Action, demands: impl IntoIterator<Item = Demand>) -> Self {
        self.actions.insert(action, in_order(demands));
        self
    }

    /// The same table, but the endpoint with this path below the base path asks for exactly these: for what plugins of
    /// others bring. Somebody who is not signed in is left to the endpoint.
    #[must_use]
    pub fn ask_at(mut self, path: &str, demands: impl IntoIterator<Item = Demand>) -> Self {
        self.endpoints.insert(path.to_owned(), in_order(demands));
        self
    }

    /// What an action asks for, in the order in which it is asked for.
    pub fn of(&self, action: Action) -> &[Demand] {
        self.actions.get(&action).map_or(&[], Vec::as_slice)
    }

    /// What an endpoint of the engine asks for, by its path below the base path.
    pub fn at(&self, path: &str) -> &[Demand] {
        let action = || Action::ALL.into_iter().find(|action| action.endpoints().contains(&path));
        match self.endpoints.get(path) {
            Some(demands) => demands,
            None => action().map_or(&[], |action| self.of(action)),
        }
    }

    /// The paths of all endpoints that may ask for something.
    pub(crate) fn endpoints(&self) -> impl Iterator<Item = &str> {
        let of_actions = Action::ALL.into_iter().flat_map(|action| action.endpoints().iter().copied());
        of_actions.chain(self.named_endpoints())
    }

    /// The paths that the app named itself.
    pub(crate) fn named_endpoints(&self) -> impl Iterator<Item = &str> {
        self.endpoints.keys().map(String::as_str)
    }
}

/// First what one can do nothing about in a moment, then the password, then the count: whoever is asked for the
/// password has not used up a try.
fn in_order(demands: impl IntoIterator<Item = Demand>) -> Vec<Demand> {
    let mut demands: Vec<_> = demands.into_iter().collect();
    demands.sort();
    demands.dedup();
    demands
}

/// As it is written down: actions and paths by name, demands by the guard's name.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
struct Written(BTreeMap<String, Vec<String>>);

impl From<Demands> for Written {
    fn from(table: Demands) -> Self {
        let words = |demands: Vec<Demand>| demands.iter().map(ToString::to_string).collect();
        let actions = table.actions.into_iter().map(|(action, demands)| (action.to_string(), words(demands)));
        let endpoints = table.endpoints.into_iter().map(|(path, demands)| (path, words(demands)));
        Self(actions.chain(endpoints).collect())
    }
}

impl TryFrom<Written> for Demands {
    type Error = String;

    fn try_from(Written(written): Written) -> Result<Self, String> {
        let mut table = Self::default();
        for (name, words) in written {
            let demands = words.iter().map(|word| word.parse()).collect::<Result<Vec<Demand>, _>>()?;
            table = match name.starts_with('/') {
                true => table.ask_at(&name, demands),
                false => table.ask(name.parse()?, demands),
            };
        }
        Ok(table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_action_has_a_line_in_the_default_table() {
        let table = Demands::default();
        for action in Action::ALL {
            assert!(!table.of(action).is_empty(), "{action}");
        }
    }

    #[test]
    fn the_table_survives_being_written_down() {
        let table = Demands::default()
            .ask(Action::RenamePasskey, [])
            .ask(Action::ChangeEmail, [Demand::throttle(3, 60), Demand::PasswordConfirm, Demand::Verified])
            .ask_at("/organization/leave", [Demand::PasswordConfirm]);
        let written = serde_json::to_value(&table).unwrap();
        assert_eq!(
            written["change-email"],
            serde_json::json!(["verified", "password.confirm", "throttle:3,60"])
        );
        assert_eq!(serde_json::from_value::<Demands>(written).unwrap(), table);
        for wrong in [r#"{"delete-acount": []}"#, r#"{"delete-account": ["pasword"]}"#] {
            let error = serde_json::from_str::<Demands>(wrong).unwrap_err().to_string();
            assert!(error.contains("known are"), "{error}");
        }
    }
}
