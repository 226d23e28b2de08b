use housekey::prelude::*;

use crate::views::components::{Actions, Button, Card, Checkbox, Form, Password, Username};
use crate::views::layouts::{Member, Settings, Tab};

/// What the page wants to know.
#[derive(Clone, Debug, Default)]
pub struct PasswordSettings {
    /// Who is signed in.
    pub member: Member,
    /// Whether there is one to be changed. Who signs in elsewhere may have none.
    pub has_password: bool,
    /// The shortest password that is taken.
    pub min_password_length: u16,
}

/// `GET /settings/password`
pub fn password(props: &PasswordSettings) -> impl Renderable {
    let fields: &[&str] = match props.has_password {
        true => &["current_password", "password", "password_confirmation"],
        false => &["password", "password_confirmation"],
    };
    rsx! {
        <Settings tab=(Tab::Password) member=(&props.member) fields=fields>
            @if props.has_password { (change(props)) } @else { (set(props)) }
        </Settings>
    }
}

fn change(props: &PasswordSettings) -> impl Renderable {
    rsx! {
        <Card title=(&t("Change your password")) text="">
            <Form action=(&path_to("settings.password.update")) method="PUT">
                <Username email=(&props.member.email)/>
                <Password
                    name="current_password"
                    label=(&t("Current password"))
                    autocomplete="current-password"
                    ..
                />
                (new_password(props))
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
    }
}

fn set(props: &PasswordSettings) -> impl Renderable {
    rsx! {
        <Card
            title=(&t("Set a password"))
            text=(&t("You have none yet. With one you get in by yourself, whatever happens to your accounts elsewhere."))
        >
            <Form action=(&path_to("settings.password.store")) method="POST">
                <Username email=(&props.member.email)/>
                (new_password(props))
                <Actions><Button label=(&t("Set password")) ../></Actions>
            </Form>
        </Card>
    }
}

fn new_password(props: &PasswordSettings) -> impl Renderable {
    rsx! {
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
    }
}
