use housekey::auth::User;
use housekey::auth::gate::{Decision, Policy, PolicyBuilder};

use crate::models::book::Book;

/// Who may do what with a book.
pub struct BookPolicy;

impl Policy for BookPolicy {
    type Model = Book;

    fn abilities(self, policy: &mut PolicyBuilder<Book>) {
        policy.define("view", Self::view);
        policy.define("create", Self::create);
        policy.define("update", Self::update);
        policy.define("delete", Self::delete);
    }
}

impl BookPolicy {
    /// An ability that takes an `Option` is asked about guests too.
    fn view(_user: Option<&User>, _book: &Book) -> bool {
        true
    }

    fn create(user: &User) -> bool {
        user.email_verified
    }

    fn update(_user: &User, _book: &Book) -> Decision {
        Decision::deny("You may not change this book.")
    }

    fn delete(_user: &User, _book: &Book) -> Decision {
        Decision::deny("You may not delete this book.")
    }
}
