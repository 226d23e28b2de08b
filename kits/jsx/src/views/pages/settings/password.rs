use housekey::prelude::*;

use crate::views::components::{Actions, Button, Card, Checkbox, Form, Password, Username};
use crate::views::layouts::{Member, Settings, Tab};

/// What the page wants to know.
#[derive(Clone, Debug, Default)]
pub struct PasswordSettings {
    /// Who is signed in.
    pub member: Member,
    /// The shortest password that is taken.
    pub min_password_length: u16,
}

/// `GET /settings/password`
pub fn password(props: &PasswordSettings) -> impl Renderable {
    rsx! {
        <Settings tab=(Tab::Password) member=(&props.member) fields=(&["current_password", "password", "password_confirmation"])>
            <Card title=(&t("Change your password")) text="">
                <Form action="/settings/password" method="PUT">
                    <Username email=(&props.member.email)/>
                    <Password
                        name="current_password"
                        label=(&t("Current password"))
                        autocomplete="current-password"
                        ..
                    />
                    <Password
                        name="password"
                        label=(&t("New password"))
                        autocomplete="new-password"
                        hint=(&t!("At least :count characters. A few words in a row are easy to remember; your name and well-known passwords are refused.", count = props.min_password_length))
                        minlength=(Some(props.min_password_length))
                        ..
                    />
                    <Password
                        name="password_confirmation"
                        label=(&t("The new one once more"))
                        autocomplete="new-password"
                        ..
                    />
                    <Checkbox
                        name="sign_out_others"
                        label=(&t("Sign out my other sessions"))
                        hint=(&t("Whoever knew the old password is out at once."))
                        checked=true
                        ..
                    />
                    <Actions><Button label=(&t("Change password")) ../></Actions>
                </Form>
            </Card>
        </Settings>
    }
}
