use housekey::prelude::*;

use crate::controllers::organizations::mine::Mine;
use crate::views::components::{
    Badge, Button, ButtonLink, Card, ErrorSummary, Form, Icon, Kind, Moment, StatusNotice, Tone, When,
};
use crate::views::layouts::{App, Member, Section};

/// What the page wants to know.
#[derive(Clone, Debug, Default)]
pub struct Choose {
    /// Who is signed in.
    pub member: Member,
    /// Those they are in.
    pub organizations: Vec<Mine>,
    /// Those they are invited to.
    pub received: Vec<ReceivedRow>,
}

/// An invitation that waits.
#[derive(Clone, Debug, Default)]
pub struct ReceivedRow {
    pub id: String,
    /// The name of the organisation.
    pub organization: String,
    /// The name of the role.
    pub role: String,
    pub expires: Moment,
}

/// `GET /organizations`
pub fn choose(props: &Choose) -> impl Renderable {
    let title = t("Organizations");
    let chosen = props.organizations.iter().any(|organization| organization.current);
    let text = if chosen { String::new() } else { t("Choose the one you want to work in.") };
    rsx! {
        <App title=(&title) member=(&props.member) section=(Section::Organization) trail=(&[])>
            <div class="grid max-w-2xl grid-cols-1 gap-6">
                <div class="flex flex-wrap items-center justify-between gap-4">
                    <h1 class="font-display text-3xl font-bold tracking-[-0.02em]">(&title)</h1>
                    @if !props.organizations.is_empty() {
                        <ButtonLink
                            href=(&path_to("organizations.create"))
                            label=(&t("New organization"))
                            icon=(Some(Icon::Plus))
                            tone=(Tone::Quiet)
                            ..
                        />
                    }
                </div>
                <StatusNotice/>
                <ErrorSummary fields=(&[])/>
                @if !props.received.is_empty() { (received(&props.received)) }
                @if props.organizations.is_empty() {
                    (none())
                } @else {
                    <Card
                        title=(&t("Yours"))
                        text=(&text)
                    >
                        <ul class="divide-y divide-line">
                            @for organization in &props.organizations { (row(organization)) }
                        </ul>
                    </Card>
                }
            </div>
        </App>
    }
}

fn none() -> impl Renderable {
    rsx! {
        <section class="grid justify-items-start gap-4 rounded-card border border-dashed border-edge p-6 sm:p-8">
            <span class="grid size-12 place-items-center rounded-control bg-accent-soft text-2xl text-link">(Icon::Building)</span>
            <div>
                <h2 class="font-display text-xl font-semibold tracking-tight">(t("You are in no organization yet"))</h2>
                <p class="mt-1 max-w-prose text-[0.9375rem] text-muted">
                    (t("Create one and invite the people you work with. If somebody has invited you, open the link in their mail."))
                </p>
            </div>
            <ButtonLink href=(&path_to("organizations.create")) label=(&t("Create an organization")) icon=(Some(Icon::Plus)) ../>
        </section>
    }
}

fn row(organization: &Mine) -> impl Renderable + use<'_> {
    let label = t!("Switch to :name", name = organization.name);
    rsx! {
        <li class="flex flex-wrap items-center gap-x-4 gap-y-3 py-4 first:pt-0 last:pb-0">
            <span class="grid size-10 flex-none place-items-center rounded-control bg-accent-soft text-lg text-link">(Icon::Building)</span>
            <div class="min-w-32 grow basis-0">
                <p class="font-semibold [overflow-wrap:anywhere]">(&organization.name)</p>
                <p class="font-mono text-[0.8125rem] text-muted [overflow-wrap:anywhere]">(&organization.slug)</p>
            </div>
            @if organization.current {
                <Badge kind=(Kind::Success) text=(&t("You are here"))/>
            } @else {
                <Form action=(&path_to("organizations.switch")) method="POST">
                    <input type="hidden" name="organization" value=(&organization.id)>
                    <div><Button label=(&t("Switch")) aria_label=(Some(&label)) tone=(Tone::Quiet) small=true ../></div>
                </Form>
            }
        </li>
    }
}

fn received(rows: &[ReceivedRow]) -> impl Renderable + use<'_> {
    rsx! {
        <Card title=(&t("You are invited")) text="">
            <ul class="divide-y divide-line">
                @for row in rows { (invitation(row)) }
            </ul>
        </Card>
    }
}

fn invitation(row: &ReceivedRow) -> impl Renderable + use<'_> {
    let name = &row.organization;
    rsx! {
        <li class="flex flex-wrap items-center gap-x-4 gap-y-3 py-4 first:pt-0 last:pb-0">
            <span class="grid size-10 flex-none place-items-center rounded-control bg-accent-soft text-lg text-link">(Icon::Mail)</span>
            <div class="min-w-32 grow basis-0">
                <p class="font-semibold [overflow-wrap:anywhere]">(name)</p>
                <p class="text-sm text-muted">(&row.role) " · " (t("runs out")) " " <When moment=(&row.expires)/></p>
            </div>
            <div class="flex flex-wrap gap-3">
                <Form action=(&path_to_with("invitations.accept", &[("id", &row.id)])) method="POST">
                    <div><Button label=(&t("Accept")) aria_label=(Some(&t!("Join :name", name))) small=true ../></div>
                </Form>
                <Form action=(&path_to_with("invitations.decline", &[("id", &row.id)])) method="POST">
                    <div>
                        <Button
                            label=(&t("Decline"))
                            aria_label=(Some(&t!("Decline the invitation to :name", name)))
                            tone=(Tone::Quiet)
                            small=true
                            ..
                        />
                    </div>
                </Form>
            </div>
        </li>
    }
}
