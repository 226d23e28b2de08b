use housekey::auth::guards::can;
use housekey::prelude::*;

use crate::controllers::{
    activity_controller as activity, books_controller as books, export_controller as export,
    invitations_controller as invitations, loans_controller as loans,
};
use crate::models::{Book, Loan};

/// The picture, and some room for the rest of the form.
const BOOK_FORM: usize = 6 * 1024 * 1024;

/// The library's pages and what they send. Policies are asked before a form is read.
pub fn shelf(route: &mut Routes) {
    route.group().middleware(["auth", "accounts"]).routes(|route| {
        route.resource("books").policy::<Book>().where_("[0-9]+").actions(|book| {
            book.index(books::index);
            book.create(books::create);
            book.store(books::store).body_limit(BOOK_FORM);
            book.show(books::show);
            book.edit(books::edit);
            book.update(books::update).body_limit(BOOK_FORM);
            book.destroy(books::destroy);
        });

        route.get("/loans", loans::index).name("loans");
        route.post("/books/{book}/loans", loans::store).middleware(can::<Book>("borrow")).name("loans.store");
        route.delete("/loans/{loan}", loans::destroy).middleware(can::<Loan>("return")).name("loans.destroy");

        route.group().middleware("can:run-library").routes(|route| {
            route.get("/books.csv", export::books).name("books.csv");
            route.get("/activity", activity::index).name("activity");
            route.get("/invitations/new", invitations::create).name("invitations.create");
            route
                .post("/invitations", invitations::store)
                .middleware("throttle:20,1")
                .name("invitations.store");
        });
    });

    // A link in a mail: whoever has it is invited.
    route.group().middleware(["signed", "guest"]).routes(|route| {
        route.get("/join", invitations::show).name("join").header("referrer-policy", "same-origin");
        route.post("/join", invitations::join_library).middleware("throttle:6,1").name("join.store");
    });
}
