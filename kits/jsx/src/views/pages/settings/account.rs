use housekey::auth::SocialProvider;
use housekey::prelude::*;

use crate::views::components::{
    Actions, Alert, Button, ButtonLink, Card, Checkbox, ConfirmedForm, Form, Icon, Kind, Moment, Tone, When,
};
use crate::views::layouts::{Member, Settings, Tab};

/// What the page wants to know.
#[derive(Clone, Debug, Default)]
pub struct AccountSettings {
    /// Who is signed in.
    pub member: Member,
    /// Whether people have passwords here.
    pub passwords: bool,
    /// Whether this one does.
    pub has_password: bool,
    /// How many passkeys there are, where the app has any.
    pub passkeys: Option<usize>,
    /// The accounts elsewhere that open this one.
    pub accounts: Vec<AccountRow>,
    /// Providers of whom there is none.
    pub connectable: Vec<SocialProvider>,
    /// The name of the provider that was connected just now.
    pub connected: Option<String>,
    /// Why one was not, and what to do.
    pub refused: Option<String>,
    /// Whether an account can be deleted here.
    pub deletable: bool,
}

/// An account at a provider.
#[derive(Clone, Debug, Default)]
pub struct AccountRow {
    /// For taking it away.
    pub id: String,
    /// The name of the provider.
    pub name: String,
    /// When it was connected.
    pub added: Moment,
    /// Whether its owner gets in without it.
    pub removable: bool,
}

/// `GET /settings/account`
pub fn account(props: &AccountSettings) -> impl Renderable {
    rsx! {
        <Settings tab=(Tab::Account) member=(&props.member) fields=(&[])>
            @if let Some(name) = &props.connected {
                <Alert kind=(Kind::Success) text=(&t!(":name is connected.", name)) ../>
            }
            @if let Some(reason) = &props.refused { <Alert kind=(Kind::Danger) text=(reason) ../> }
            (ways_in(props))
            <Card
                title=(&t("Take your data along"))
                text=(&t("A copy of what we keep about you, as a JSON file: your profile, passkeys, sessions and what happened lately."))
            >
                <Actions>
                    <ButtonLink
                        href=(&path_to("settings.account.data"))
                        label=(&t("Download a copy"))
                        tone=(Tone::Quiet)
                        icon=(Some(Icon::Download))
                        ..
                    />
                </Actions>
            </Card>
            @if props.deletable { (delete(props)) }
        </Settings>
    }
}

fn ways_in(props: &AccountSettings) -> impl Renderable {
    rsx! {
        <Card
            title=(&t("Ways to sign in"))
            text=(&t("Have two, so that you get in when one is out of reach."))
        >
            <ul class="divide-y divide-line">
                @if props.passwords {
                    <Way icon=(Icon::Lock) name=(&t("Password")) state=(if props.has_password { t("Set") } else { t("None yet") })>
                        <ButtonLink
                            href=(&path_to("settings.password"))
                            label=(&if props.has_password { t("Change password") } else { t("Set a password") })
                            tone=(Tone::Quiet)
                            small=true
                            ..
                        />
                    </Way>
                }
                @if let Some(count) = props.passkeys {
                    <Way icon=(Icon::Key) name=(&t("Passkeys")) state=(passkeys(count))>
                        <ButtonLink href=(&path_to("settings.passkeys")) label=(&t("Manage passkeys")) tone=(Tone::Quiet) small=true ../>
                    </Way>
                }
                @for account in &props.accounts { (connected(account)) }
                @for provider in &props.connectable {
                    <Way icon=(Icon::Plus) name=(&provider.name) state=(t("Not connected"))>
                        <Form action=(&path_to_with("settings.accounts.connect", &[("provider", &provider.id)])) method="POST">
                            <div>
                                <Button
                                    label=(&t("Connect"))
                                    aria_label=(Some(&t!("Connect :name", name = provider.name)))
                                    tone=(Tone::Quiet)
                                    small=true
                                    ..
                                />
                            </div>
                        </Form>
                    </Way>
                }
            </ul>
        </Card>
    }
}

fn passkeys(count: usize) -> String {
    match count {
        0 => t("None yet"),
        _ => t_plural("One passkey|:count passkeys", i64::try_from(count).unwrap_or(i64::MAX)),
    }
}

fn connected(account: &AccountRow) -> impl Renderable {
    let name = &account.name;
    rsx! {
        <Way icon=(Icon::Check) name=name state=(rsx! { (t("Connected")) " " <When moment=(&account.added)/> })>
            @if account.removable {
                <ConfirmedForm
                    id=(&format!("disconnect-{}", account.id))
                    action=(&path_to_with("settings.accounts.disconnect", &[("id", &account.id)]))
                    method="DELETE"
                    label=(&t("Disconnect"))
                    aria_label=(Some(&t!("Disconnect :name", name)))
                    tone=(Tone::Quiet)
                    small=true
                    title=(&t!("Disconnect :name?", name))
                    text=(&t("You can no longer sign in with it. The account over there stays as it is."))
                    ..
                />
            } @else {
                <p class="text-sm text-muted">(t("Your only way in: set a password before you disconnect it."))</p>
            }
        </Way>
    }
}

/// One way in: what it is, how it stands, and what can be done about it.
#[component]
fn way<'a, S: Renderable, R: Renderable>(
    icon: Icon,
    name: &'a str,
    state: &S,
    children: &R,
) -> impl Renderable {
    rsx! {
        <li class="flex flex-wrap items-center gap-x-4 gap-y-3 py-4 first:pt-0 last:pb-0">
            <span class="grid size-10 flex-none place-items-center rounded-control bg-accent-soft text-lg text-link">(icon)</span>
            <div class="min-w-32 grow basis-0">
                <p class="font-semibold [overflow-wrap:anywhere]">(name)</p>
                <p class="text-sm text-muted">(state)</p>
            </div>
            (children)
        </li>
    }
}

fn delete(props: &AccountSettings) -> impl Renderable {
    let email = &props.member.email;
    rsx! {
        <Card
            title=(&t("Delete your account"))
            text=(&t("Your profile, passkeys, codes and sessions are erased. Nobody can bring them back, not even we. What happened to the account stays on record for a while, so that misuse can be looked into."))
        >
            // A tick is what a dialog would be, and needs no script.
            <Form action=(&path_to("settings.account.destroy")) method="DELETE">
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
    }
}
