use housekey::auth::{Feature, offers};
use housekey::prelude::*;

use crate::views::components::{Actions, Badge, Button, Card, Field, Form, Kind, Notice, Tone};
use crate::views::layouts::{Member, Settings, Tab};

/// What the page wants to know.
#[derive(Clone, Debug, Default)]
pub struct ProfileSettings {
    /// Who is signed in.
    pub member: Member,
    /// The name they sign in with beside the address, if they have one.
    pub username: Option<String>,
    /// The address the account is moving to, as long as its link was not opened.
    pub pending_email: Option<String>,
}

/// `GET /settings/profile`
pub fn profile(props: &ProfileSettings) -> impl Renderable {
    let member = &props.member;
    let (kind, state) = if member.email_verified {
        (Kind::Success, t("Confirmed"))
    } else {
        (Kind::Warning, t("Not confirmed"))
    };
    rsx! {
        <Settings tab=(Tab::Profile) member=member fields=(&["name", "username", "email"])>
            <Card title=(&t("Your name")) text=(&t("As others see it."))>
                <Form action=(&path_to("settings.profile.update")) method="POST">
                    <Field
                        name="name"
                        label=(&t("Name"))
                        value=(&member.name)
                        autocomplete="name"
                        maxlength=(Some(255))
                        required=true
                        ..
                    />
                    <Actions><Button label=(&t("Save")) ../></Actions>
                </Form>
            </Card>
            @if offers(Feature::Username) {
                <Card title=(&t("Your username")) text=(&t("You can sign in with it, in place of the address."))>
                    <Form action=(&path_to("settings.username.change")) method="POST">
                        <Field
                            name="username"
                            label=(&t("Username"))
                            value=(props.username.as_deref().unwrap_or_default())
                            hint=(&t("Letters, digits, dots and underscores."))
                            autocomplete="off"
                            maxlength=(Some(64))
                            required=true
                            ..
                        />
                        <Actions><Button label=(&t("Save the username")) ../></Actions>
                    </Form>
                </Card>
            }
            <Card
                title=(&t("Your address"))
                text=(&t("You sign in with it, and our mails go there. A new one counts once you have opened the link we send."))
            >
                <p class="flex flex-wrap items-center gap-x-3 gap-y-1">
                    <span class="font-semibold [overflow-wrap:anywhere]">(&member.email)</span>
                    <Badge kind=kind text=(&state)/>
                </p>
                @if let Some(pending) = &props.pending_email {
                    <Notice kind=(Kind::Info)>
                        <p>
                            (t("On its way to")) " "
                            <strong class="font-semibold [overflow-wrap:anywhere]">(pending)</strong>
                            ". " (t("Open the links in your mail to finish."))
                        </p>
                        <div class="mt-3">
                            <Form action=(&path_to("settings.email.cancel")) method="DELETE">
                                <div><Button label=(&t("Cancel the change")) tone=(Tone::Quiet) small=true ../></div>
                            </Form>
                        </div>
                    </Notice>
                } @else {
                    @if !member.email_verified {
                        <Notice kind=(Kind::Warning)>
                            <p>(t("This address is not confirmed yet."))</p>
                            <div class="mt-3">
                                <Form action=(&path_to("verification.resend")) method="POST">
                                    <div><Button label=(&t("Send the link again")) tone=(Tone::Quiet) small=true ../></div>
                                </Form>
                            </div>
                        </Notice>
                    }
                }
                @if offers(Feature::ChangeEmail) {
                    <Form action=(&path_to("settings.email.change")) method="POST">
                        <Field
                            name="email"
                            label=(&t("New address"))
                            kind="email"
                            autocomplete="email"
                            maxlength=(Some(254))
                            required=true
                            ..
                        />
                        <Actions><Button label=(&t("Change the address")) ../></Actions>
                    </Form>
                }
            </Card>
        </Settings>
    }
}
