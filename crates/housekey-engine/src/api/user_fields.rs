use super::Api;
use crate::{Record, Result, User};

/// Fields of a user that somebody wants to set, before anything is written.
#[derive(Clone, Debug)]
pub struct UserFields {
    /// Whose they are; `None` for somebody who is only just coming.
    pub user: Option<User>,
    /// The address of the user, or of whoever is coming.
    pub email: String,
    /// The columns of plugins and of the app's own.
    pub fields: Record,
    /// Who said so.
    pub origin: FieldsOrigin,
}

/// Who says what stands in the fields of a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldsOrigin {
    /// Somebody who can be told what is wrong, and says something else then.
    Person,
    /// A provider, in the profile of somebody who signs in with it. Nobody is there to correct it: what cannot be taken is left
    /// out.
    Profile,
}

impl Api {
    /// Asks the plugins about fields of a user, and gives them as they may be written
    /// ([`Plugin::user_fields`](crate::Plugin::user_fields)). Sign-up, `/update-user` and admins ask here; so must whoever else
    /// writes what a person says about a user.
    pub async fn check_user_fields(&self, mut asked: UserFields) -> Result<Record> {
        for hook in &self.plugin_hooks.user_fields {
            hook(self, &mut asked).await?;
        }
        Ok(asked.fields)
    }
}
