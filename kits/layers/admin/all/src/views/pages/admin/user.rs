use housekey::auth::engine::plugins::admin::Factors;
use housekey::prelude::*;

use super::events::{EventRow, history};
use super::serious::Serious;
use super::users::{Person, state};
use crate::views::components::{
    Badge, Button, Card, Cell, Field, Form, Icon, Kind, Moment, Notice, Table, Tone, When,
};
use crate::views::layouts::admin::{Admin, Page};

/// What the page wants to know.
#[derive(Clone, Debug, Default)]
pub struct UserPage {
    pub person: Person,
    /// Whether it is about whoever looks at it.
    pub is_me: bool,
    pub factors: Factors,
    pub sessions: Vec<SessionRow>,
    pub events: Vec<EventRow>,
    /// Whether the app sends links to new passwords.
    pub can_reset_password: bool,
}

/// One place where the account is signed in.
#[derive(Clone, Debug, Default)]
pub struct SessionRow {
    /// A name for the session that is no secret: never its token.
    pub id: String,
    pub device: String,
    pub mobile: bool,
    pub ip: String,
    pub first_seen: Moment,
    pub last_seen: Moment,
    /// Whether an admin acts as them in it.
    pub impersonated: bool,
}

/// `GET /admin/users/{id}`
pub fn user(props: &UserPage) -> impl Renderable {
    let person = &props.person;
    let trail = [(t("Users"), path_to("admin.users"))];
    rsx! {
        <Admin title=(&person.name) page=(Page::Users) trail=(&trail)>
            @if person.closed { (closed(person)) }
            <div class="grid min-w-0 gap-6 lg:grid-cols-2 lg:items-start">
                <div class="grid min-w-0 grid-cols-1 gap-6">
                    (profile(person))
                    (factors(props))
                </div>
                <div class="grid min-w-0 grid-cols-1 gap-6">
                    (access(props))
                </div>
            </div>
            (sessions(props))
            (history(&props.events, &person.id))
        </Admin>
    }
}

fn closed(person: &Person) -> impl Renderable {
    rsx! {
        <Notice kind=(Kind::Warning)>
            <p class="font-semibold">
                @if let Some(until) = &person.closed_until {
                    (t("This account is closed until")) " " <span class="whitespace-nowrap"><When moment=until/> " UTC."</span>
                } @else {
                    (t("This account is closed until somebody opens it again."))
                }
            </p>
            @if let Some(reason) = &person.closed_because { <p class="[overflow-wrap:anywhere]">(reason)</p> }
        </Notice>
    }
}

fn profile(person: &Person) -> impl Renderable {
    rsx! {
        <Card title=(&t("Profile")) text="">
            <dl class="grid gap-4 text-[0.9375rem]">
                <Line name=(&t("E-mail"))><span class="[overflow-wrap:anywhere]">(&person.email)</span></Line>
                @if person.is_particular() {
                    <Line name=(&t("State"))><span class="flex flex-wrap gap-1.5">(state(person))</span></Line>
                }
                @if !person.roles.is_empty() { <Line name=(&t("Roles"))>(&person.roles)</Line> }
                <Line name=(&t("Account since"))><When moment=(&person.since)/></Line>
                <Line name=(&t("Id"))><code class="font-mono text-[0.8125rem] [overflow-wrap:anywhere]">(&person.id)</code></Line>
            </dl>
        </Card>
    }
}

/// A name, and what it is for this person.
#[component]
fn line<'a, R: Renderable>(name: &'a str, children: &R) -> impl Renderable {
    rsx! {
        <div class="grid gap-0.5">
            <dt class="text-sm text-muted">(name)</dt>
            <dd class="min-w-0">(children)</dd>
        </div>
    }
}

fn factors(props: &UserPage) -> impl Renderable {
    let factors = &props.factors;
    let passkeys = i64::try_from(factors.passkeys).unwrap_or(i64::MAX);
    let reset = props.person.action("admin.user.password-reset");
    let second = props.person.action("admin.user.two-factor");
    let has = |has: bool| if has { (Kind::Success, t("Yes")) } else { (Kind::Info, t("No")) };
    let (password, two_factor) = (has(factors.has_password), has(factors.two_factor));
    rsx! {
        <Card title=(&t("How they get in")) text="">
            <dl class="grid gap-4 text-[0.9375rem]">
                <Line name=(&t("Password"))><Badge kind=(password.0) text=(&password.1)/></Line>
                <Line name=(&t("Second factor"))><Badge kind=(two_factor.0) text=(&two_factor.1)/></Line>
                <Line name=(&t("Passkeys"))>(t_plural("One passkey|:count passkeys", passkeys))</Line>
                @if !factors.providers.is_empty() { <Line name=(&t("Connected accounts"))>(factors.providers.join(", "))</Line> }
            </dl>
            @if props.can_reset_password {
                <Form action=(&reset) method="POST">
                    <div><Button label=(&t("Send a link to a new password")) tone=(Tone::Quiet) icon=(Some(Icon::Mail)) small=true ../></div>
                </Form>
            }
            @if factors.two_factor {
                <Serious
                    title=(&t("Reset the second factor"))
                    text=(&t("For somebody who lost their phone and their codes. Make sure that it is them: from then on the password alone opens the account."))
                    open=false
                >
                    <Form action=(&second) method="DELETE">
                        <div><Button label=(&t("Turn the second factor off")) tone=(Tone::Danger) small=true ../></div>
                    </Form>
                </Serious>
            }
        </Card>
    }
}

fn access(props: &UserPage) -> impl Renderable {
    let person = &props.person;
    rsx! {
        <Card title=(&t("Access")) text=(&t("Everything that is done here is told in the events."))>
            @if props.is_me {
                <p class="text-[0.9375rem] text-muted">(t("This is your own account. Another admin can close or delete it."))</p>
            }
            @if !person.admin && !person.closed {
                <Form action=(&person.action("admin.user.impersonate")) method="POST">
                    <p class="text-[0.9375rem] text-muted">(t("See the app as they do, for an hour at most. They can read in their history that an admin acted in their name."))</p>
                    <div><Button label=(&t("Act as this person")) tone=(Tone::Quiet) icon=(Some(Icon::Eye)) small=true ../></div>
                </Form>
            }
            (role(person))
            @if person.closed {
                <Form action=(&person.action("admin.user.unban")) method="DELETE">
                    <div class="border-t border-line pt-4"><Button label=(&t("Open the account again")) small=true ../></div>
                </Form>
            } @else if !props.is_me {
                (close(person))
            }
            @if !props.is_me {
                <Serious
                    title=(&t("Delete the account"))
                    text=(&t("The account, its sessions, passkeys and connected accounts go for good. The events about it stay."))
                    open=false
                >
                    <Form action=(&person.action("admin.user.destroy")) method="DELETE">
                        <div><Button label=(&t("Delete it for good")) tone=(Tone::Danger) icon=(Some(Icon::Trash)) small=true ../></div>
                    </Form>
                </Serious>
            }
        </Card>
    }
}

fn role(person: &Person) -> impl Renderable {
    let (title, text, label) = match person.admin {
        true => (
            t("Take the admin role away"),
            t("They keep their account and lose these pages. One admin always stays."),
            t("Take it away"),
        ),
        false => (
            t("Make an admin"),
            t("An admin sees everybody's account and can close, change and delete it."),
            t("Yes, make an admin"),
        ),
    };
    rsx! {
        <Serious title=(&title) text=(&text) open=false>
            <Form action=(&person.action("admin.user.role")) method="PUT">
                <input type="hidden" name="admin" value=(if person.admin { "0" } else { "1" })>
                <div><Button label=(&label) tone=(Tone::Danger) small=true ../></div>
            </Form>
        </Serious>
    }
}

fn close(person: &Person) -> impl Renderable {
    let refused = ["reason", "days"].iter().any(|field| errors().first(field).is_some());
    rsx! {
        <Serious
            title=(&t("Close the account"))
            text=(&t("Every session ends, and nobody gets in until the account is opened again."))
            open=refused
        >
            <Form action=(&person.action("admin.user.ban")) method="POST">
                <Field name="reason" label=(&t("Why")) hint=(&t("For other admins to read.")) maxlength=(Some(500)) autocomplete="off" required=true ../>
                <Field name="days" label=(&t("For how many days")) hint=(&t("Empty: until somebody opens it again.")) kind="number" autocomplete="off" ../>
                <div><Button label=(&t("Close it")) tone=(Tone::Danger) icon=(Some(Icon::Lock)) small=true ../></div>
            </Form>
        </Serious>
    }
}

fn sessions(props: &UserPage) -> impl Renderable {
    let columns = [t("Device"), t("Signed in"), t("Last seen"), t("End it")];
    rsx! {
        <Card title=(&t("Sessions")) text=(&t("A session that is ended is over at once, wherever it is."))>
            @if props.sessions.is_empty() {
                <p class="text-[0.9375rem] text-muted">(t("They are signed in nowhere."))</p>
            } @else {
                <Table caption=(&t("Sessions")) columns=(&columns)>@for session in &props.sessions { (session_row(session, &props.person.id, &columns)) }</Table>
                <div class="border-t border-line pt-5">
                    <Form action=(&props.person.action("admin.user.sessions")) method="DELETE">
                        <div><Button label=(&t("End all sessions")) tone=(Tone::Quiet) icon=(Some(Icon::SignOut)) small=true ../></div>
                    </Form>
                </div>
            }
        </Card>
    }
}

fn session_row<'a>(session: &'a SessionRow, user: &str, columns: &'a [String]) -> impl Renderable + use<'a> {
    let icon = if session.mobile { Icon::Phone } else { Icon::Laptop };
    let action = path_to_with("admin.user.session", &[("id", user), ("session", &session.id)]);
    let label = t!("End the session of :device", device = session.device);
    rsx! {
        <tr class="block py-4 first:pt-0 last:pb-0 md:table-row">
            <Cell column="">
                <span class="flex items-center gap-3">
                    <span class="grid size-10 flex-none place-items-center rounded-control bg-accent-soft text-lg text-link">(icon)</span>
                    <span class="grid min-w-0 gap-0.5">
                        <span class="flex flex-wrap items-center gap-x-2.5 gap-y-1">
                            <span class="font-semibold">(&session.device)</span>
                            @if session.impersonated { <Badge kind=(Kind::Warning) text=(&t("An admin"))/> }
                        </span>
                        <span class="font-mono text-[0.8125rem] text-muted [overflow-wrap:anywhere]">(&session.ip)</span>
                    </span>
                </span>
            </Cell>
            <Cell column=(&columns[1])><span class="whitespace-nowrap"><When moment=(&session.first_seen)/></span></Cell>
            <Cell column=(&columns[2])><span class="whitespace-nowrap"><When moment=(&session.last_seen)/></span></Cell>
            <Cell column="">
                <Form action=(&action) method="DELETE">
                    <div><Button label=(&t("End")) aria_label=(Some(&label)) tone=(Tone::Quiet) small=true ../></div>
                </Form>
            </Cell>
        </tr>
    }
}
