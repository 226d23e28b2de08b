use housekey_view::csrf_field;
use housekey_view::prelude::*;
use hypertext::{Buffer, Raw};
use serde::Deserialize;

use super::PATH;
use super::authorize::AuthorizationRequest;

/// The page that asks who to be.
pub(super) struct AuthorizePage {
    pub(super) asked: AuthorizationRequest,
    pub(super) who: Who,
    pub(super) nonce: String,
}

/// What stands in its fields, and comes back.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Who {
    pub(super) name: String,
    pub(super) email: String,
    /// A box: there when it is ticked.
    pub(super) email_verified: Option<String>,
    /// Whether the address that was sent is none.
    #[serde(skip)]
    pub(super) is_wrong: bool,
}

impl Renderable for AuthorizePage {
    fn render_to(&self, buffer: &mut Buffer) {
        // XSS SAFETY: a style sheet of ours.
        let style = Raw::dangerously_create(include_str!("page.css"));
        let or = |given: &str, otherwise: &str| match given {
            "" => otherwise.to_owned(),
            given => given.to_owned(),
        };
        let email = or(&self.who.email, &or(&self.asked.login_hint, "dev@example.com"));
        let name = or(&self.who.name, "Dev");
        rsx_borrow! {
            <!DOCTYPE html>
            <html lang="en">
                <head>
                    <meta charset="utf-8">
                    <meta name="viewport" content="width=device-width, initial-scale=1">
                    <meta name="robots" content="noindex">
                    <title>"Development account"</title>
                    <style nonce=(&self.nonce)>(style)</style>
                </head>
                <body>
                    <header class="bar">
                        <h1>"Development account"</h1>
                        <p>"Stands in for Google and the others until you have their keys. Production has no such page."</p>
                    </header>
                    <main>
                        <form method="post" action=(format!("{PATH}/authorize"))>
                            (csrf_field())
                            @for (field, value) in self.asked.fields() {
                                <input type="hidden" name=(field) value=(value)>
                            }
                            <h2>"Who do you want to be?"</h2>
                            <p class="hint">"The same address is the same person each time."</p>
                            <label for="email">"E-mail"</label>
                            <input
                                id="email"
                                name="email"
                                type="email"
                                value=(email)
                                autocomplete="off"
                                aria-invalid=[self.who.is_wrong.then_some("true")]
                                aria-describedby=[self.who.is_wrong.then_some("email-error")]
                                required
                                autofocus
                            >
                            @if self.who.is_wrong { <p class="problem" id="email-error">"This is no e-mail address."</p> }
                            <label for="name">"Name"</label>
                            <input id="name" name="name" value=(name) autocomplete="off">
                            <label class="box">
                                <input type="checkbox" name="email_verified" value="1" checked>
                                " The provider has confirmed this address"
                            </label>
                            <p class="hint">"Without this, nobody is connected to an account that has the address already."</p>
                            <div class="buttons">
                                <button class="main" name="answer" value="allow">"Sign in"</button>
                                <button name="answer" value="refuse" formnovalidate>"Refuse"</button>
                            </div>
                        </form>
                    </main>
                </body>
            </html>
        }
        .render_to(buffer);
    }
}
