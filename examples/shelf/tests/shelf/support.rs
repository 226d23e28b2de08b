//! Who visits, and what is on the shelf.

use housekey::database::{Factory, Record};
use housekey::mail::{MailFake, Mailer};
use housekey::prelude::*;
use housekey::testing::TestApp;

use shelf::factories::{BookFactory, UserFactory};
use shelf::models::{Book, Loan, User};

/// Somebody who borrows books, and their browser.
pub async fn reader(app: &TestApp) -> (User, TestApp) {
    let person = app.within(UserFactory::named("Rita Reader")).await.unwrap();
    let browser = app.signed_in(&person).await;
    (person, browser)
}

/// The browser of somebody who looks after them.
pub async fn librarian(app: &TestApp) -> TestApp {
    let made = async {
        let mut person = UserFactory::named("Lib Rarian").await?;
        person.update(record! { User::role => "librarian" }).await?;
        Ok::<_, Error>(person)
    };
    let person = app.within(made).await.unwrap();
    app.signed_in(&person).await
}

pub async fn book(app: &TestApp, columns: Record) -> Book {
    app.within(BookFactory::create_with(columns)).await.unwrap()
}

pub async fn lent(app: &TestApp, book: &Book, reader: &User) -> Loan {
    app.within(Loan::lend(book, &reader.id)).await.unwrap().unwrap()
}

pub fn mails(app: &TestApp) -> MailFake {
    app.services().require::<Mailer>().unwrap().fake()
}

/// What the form of a book sends when somebody fills it in.
pub const FORM: [(&str, &str); 8] = [
    ("title", "The Sea"),
    ("author", "John Banville"),
    ("isbn", "9780330483292"),
    ("pages", "264"),
    ("price", "19.90"),
    ("condition", "good"),
    ("bought_on", "2026-05-04"),
    ("tags", "Sea, novel, sea"),
];

/// The same with another value.
pub fn form_with<'a>(name: &'a str, value: &'a str) -> Vec<(&'a str, &'a str)> {
    let others = FORM.into_iter().filter(|(field, _)| *field != name);
    others.chain([(name, value)]).collect()
}
