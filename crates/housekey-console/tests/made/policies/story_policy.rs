use housekey::auth::User;
use housekey::auth::gate::{Decision, Policy, PolicyBuilder};

use crate::models::story::Story;

/// Who may do what with a story.
pub struct StoryPolicy;

impl Policy for StoryPolicy {
    type Model = Story;

    fn abilities(self, policy: &mut PolicyBuilder<Story>) {
        policy.define("view", Self::view);
        policy.define("create", Self::create);
        policy.define("update", Self::update);
        policy.define("delete", Self::delete);
    }
}

impl StoryPolicy {
    /// An ability that takes an `Option` is asked about guests too.
    fn view(_user: Option<&User>, _story: &Story) -> bool {
        true
    }

    fn create(user: &User) -> bool {
        user.email_verified
    }

    fn update(_user: &User, _story: &Story) -> Decision {
        Decision::deny("You may not change this story.")
    }

    fn delete(_user: &User, _story: &Story) -> Decision {
        Decision::deny("You may not delete this story.")
    }
}
