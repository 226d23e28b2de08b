use housekey::prelude::*;

use super::alert::Kind;
use super::badge::Badge;

/// Whether a book is there. Both words are on the page; `shelf.ts` shows the other one when the server says so.
#[component]
pub fn availability(book: i64, is_lent: bool) -> impl Renderable {
    rsx! {
        <span data-book=(book)>
            <span data-state="in" hidden[is_lent]><Badge kind=(Kind::Success) text=(&t("On the shelf"))/></span>
            <span data-state="out" hidden[!is_lent]><Badge kind=(Kind::Warning) text=(&t("Lent"))/></span>
        </span>
    }
}
