use housekey::prelude::*;

use crate::controllers::{
    activity_controller as activity, books_controller as books, export_controller as export,
    invitations_controller as invitations, loans_controller as loans,
};

const COVER_FORM: usize = 6 * 1024 * 1024;

/// The library's pages and what they send.
pub fn shelf(route: &mut Routes) {
    route.group().middleware(["auth", "accounts"]).routes(|route| {
        route.get("/books", books::index).name("books.index");
        route.get("/books/{book}", books::show).name("books.show").where_("book", "[0-9]+");
        route.get("/loans", loans::index).name("loans");
        route.post("/books/{book}/loans", loans::store).name("loans.store");
        route.delete("/loans/{loan}", loans::destroy).name("loans.destroy");

        // The guard asks before the form is read: who may not is told so, not what is wrong with their form.
        route.group().middleware("can:manage,book").routes(|route| {
            route.get("/books/create", books::create).name("books.create");
            route.post("/books", books::store).name("books.store").body_limit(COVER_FORM);
            route.get("/books/{book}/edit", books::edit).name("books.edit");
            route.put("/books/{book}", books::update).name("books.update").body_limit(COVER_FORM);
            route.delete("/books/{book}", books::destroy).name("books.destroy");
            route.get("/books.csv", export::books).name("books.csv");
            route.get("/activity", activity::index).name("activity");
            route.get("/invitations/create", invitations::create).name("invitations.create");
            route.post("/invitations", invitations::store).middleware("throttle:20,1").name("invitations.store");
        });
    });

    // A link in a mail: whoever has it is invited.
    route.group().middleware(["signed", "guest"]).routes(|route| {
        route.get("/join", invitations::show).name("join").header("referrer-policy", "same-origin");
        route.post("/join", invitations::join_library).middleware("throttle:6,1").name("join.store");
    });
}
