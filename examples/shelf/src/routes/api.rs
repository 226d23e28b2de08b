use housekey::auth::guards::can;
use housekey::prelude::*;

use crate::controllers::api::{
    books_controller as books, loans_controller as loans, tokens_controller as tokens,
};
use crate::models::{Book, Loan};

/// The library for programs. Without CSRF protection no cookie counts here: a token says who is there.
pub fn api(route: &mut Routes) {
    route.group().prefix("/api").without_csrf().heading("Library").typed(|route| {
        route
            .post("/tokens", tokens::store)
            .middleware("throttle:6,1")
            .about("Get a token for an account. Send it as `authorization: Bearer …`.")
            .name("api.tokens");

        route.group().middleware("auth").routes(|route| {
            route.get("/books", books::index).about("List the books, by title.").name("api.books");
            route.get("/books/{book}", books::show).about("Show one book.").name("api.books.show");
            route
                .post("/books/{book}/loans", loans::store)
                .middleware(can::<Book>("borrow"))
                .status(StatusCode::CREATED)
                .refuses(StatusCode::CONFLICT, "Somebody has this book.")
                .about("Borrow a book.")
                .name("api.loans.store");
            route
                .delete("/loans/{loan}", loans::destroy)
                .middleware(can::<Loan>("return"))
                .about("Bring a book back.")
                .name("api.loans.destroy");
        });
    });
}
