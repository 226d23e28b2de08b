use housekey::prelude::*;

use crate::views::components::{Button, ButtonLink, ErrorSummary, Field, Form, Password};
use crate::views::layouts::Guest;

/// What the page wants to know.
#[derive(Clone, Debug, Default)]
pub struct ResetPassword {
    /// The token of the mail's link. It is sent back in the form and stands in no address that we write.
    pub token: String,
    /// Whose password it will be, so that a password manager files it right. `None` where it is not known.
    pub email: Option<String>,
    /// Whether the link was used already or is too old: then there is no form.
    pub spent: bool,
    /// The shortest password that is taken.
    pub min_password_length: u16,
}

/// `GET /reset-password?token=…`
pub fn reset_password(props: &ResetPassword) -> impl Renderable {
    rsx! {
        @if props.spent {
            <Guest
                title=(&t("This link is spent"))
                heading=(&t("This link is spent"))
                text=(&t("A link works once and for one hour. Ask for a fresh one."))
            >
                <ButtonLink href=(&path_to("forgot-password")) label=(&t("Send me a new link")) wide=true ../>
            </Guest>
        } @else {
            <Guest
                title=(&t("Choose a new password"))
                heading=(&t("Choose a new password"))
                text=(&t("Every device that is signed in now will be signed out."))
            >
                <Form action=(&path_to("password.reset")) method="POST">
                    <ErrorSummary fields=(&["password", "password_confirmation"])/>
                    <input type="hidden" name="token" value=(&props.token)>
                    @if let Some(email) = &props.email {
                        <Field
                            name="email"
                            label=(&t("E-mail"))
                            kind="email"
                            value=(email)
                            autocomplete="username"
                            readonly=true
                            ..
                        />
                    }
                    <Password
                        name="password"
                        label=(&t("New password"))
                        autocomplete="new-password"
                        hint=(&t!("At least :count characters. A few words in a row are easy to remember; your name and well-known passwords are refused.", count = props.min_password_length))
                        minlength=(Some(props.min_password_length))
                        autofocus=true
                        ..
                    />
                    <Password
                        name="password_confirmation"
                        label=(&t("The same once more"))
                        autocomplete="new-password"
                        ..
                    />
                    <Button label=(&t("Save the password")) wide=true ../>
                </Form>
            </Guest>
        }
    }
}
