use housekey::prelude::*;

use crate::views::components::{Actions, Button, ButtonLink, Card, Checkbox, Form, Icon, Tone};
use crate::views::layouts::{Member, Settings, Tab};

/// What the page wants to know.
#[derive(Clone, Debug, Default)]
pub struct AccountSettings {
    /// Who is signed in.
    pub member: Member,
}

/// `GET /settings/account`
pub fn account(props: &AccountSettings) -> impl Renderable {
    let email = &props.member.email;
    rsx! {
        <Settings tab=(Tab::Account) member=(&props.member) fields=(&[])>
            <Card
                title=(&t("Take your data along"))
                text=(&t("A copy of what we keep about you, as a JSON file: your profile, passkeys, sessions and what happened lately."))
            >
                <Actions>
                    <ButtonLink
                        href="/settings/account/data"
                        label=(&t("Download a copy"))
                        tone=(Tone::Quiet)
                        icon=(Some(Icon::Download))
                        ..
                    />
                </Actions>
            </Card>
            <Card
                title=(&t("Delete your account"))
                text=(&t("Your profile, passkeys, codes and sessions are erased. Nobody can bring them back, not even we. What happened to the account stays on record for a while, so that misuse can be looked into."))
            >
                // A tick is what a dialog would be, and needs no script.
                <Form action="/settings/account" method="DELETE">
                    <Checkbox
                        name="understood"
                        label=(&t!("Yes, delete :email and everything in it", email))
                        required=true
                        ..
                    />
                    <Actions>
                        <Button label=(&t("Delete my account")) tone=(Tone::Danger) icon=(Some(Icon::Trash)) ../>
                    </Actions>
                </Form>
            </Card>
        </Settings>
    }
}
