use housekey::auth::User;
use housekey::auth::gate::{Decision, Policy, PolicyBuilder};
use housekey::prelude::*;

use super::is_librarian;
use crate::models::Book;

pub struct BookPolicy;

impl Policy for BookPolicy {
    type Model = Book;

    fn abilities(self, policy: &mut PolicyBuilder<Book>) {
        policy.define("view", |_: &User, _: &Book| true);
        policy.define("create", is_librarian);
        policy.define("update", |user: &User, _: &Book| is_librarian(user));
        policy.define("delete", |user: &User, _: &Book| is_librarian(user));
        policy.define("borrow", Self::borrow);
    }
}

impl BookPolicy {
    fn borrow(user: &User, _: &Book) -> Decision {
        match user.email_verified {
            true => Decision::allow(),
            false => Decision::deny(t("Confirm your address before you borrow a book.")),
        }
    }
}
