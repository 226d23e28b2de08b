use housekey::prelude::*;

use crate::views::components::{
    Badge, Card, Cell, ConfirmedForm, Icon, Kind, Moment, Row, Table, Tone, When,
};
use crate::views::layouts::{Member, Settings, Tab};

/// What the page wants to know.
#[derive(Clone, Debug, Default)]
pub struct SessionSettings {
    /// Who is signed in.
    pub member: Member,
    /// This device first, then the others by their last visit.
    pub sessions: Vec<SessionRow>,
    /// What happened to the account lately, the newest first.
    pub history: Vec<HistoryRow>,
}

/// One place where the account is signed in.
#[derive(Clone, Debug, Default)]
pub struct SessionRow {
    /// A name for the session that is no secret: never its token.
    pub id: String,
    /// Such as `Firefox on Linux`.
    pub device: String,
    /// Whether it is a phone or a tablet.
    pub mobile: bool,
    /// The address it was last seen at.
    pub ip: String,
    /// When it was signed in.
    pub first_seen: Moment,
    /// When it was last used.
    pub last_seen: Moment,
    /// Whether it is the one the page is asked for with.
    pub current: bool,
}

/// One thing that happened to the account.
#[derive(Clone, Debug, Default)]
pub struct HistoryRow {
    /// Such as `Signed in with a passkey`.
    pub what: String,
    /// Such as `Firefox on Linux`.
    pub device: String,
    /// The address it came from.
    pub ip: String,
    /// When it happened.
    pub at: Moment,
}

/// `GET /settings/sessions`
pub fn sessions(props: &SessionSettings) -> impl Renderable {
    let others = props.sessions.iter().any(|session| !session.current);
    let mut columns = vec![t("Device"), t("Signed in"), t("Last seen")];
    // Nobody ends the session they are in here: that is signing out.
    if others {
        columns.push(t("End it"));
    }
    rsx! {
        <Settings tab=(Tab::Sessions) member=(&props.member) fields=(&[])>
            <Card
                title=(&t("Where you are signed in"))
                text=(&t("A session that is ended is over at once, wherever it is."))
            >
                <Table caption=(&t("Sessions")) columns=(&columns)>
                    @for session in &props.sessions { (row(session, &columns)) }
                </Table>
                @if others {
                    <div class="border-t border-line pt-5">
                        <ConfirmedForm
                            id="end-others"
                            action=(&path_to("settings.sessions.destroy-others"))
                            method="DELETE"
                            label=(&t("End all others"))
                            tone=(Tone::Quiet)
                            icon=(Some(Icon::SignOut))
                            title=(&t("End all other sessions?"))
                            text=(&t("Every device but this one has to sign in again."))
                            ..
                        />
                    </div>
                }
            </Card>
            (history(&props.history))
        </Settings>
    }
}

fn row<'a>(session: &'a SessionRow, columns: &'a [String]) -> impl Renderable + use<'a> {
    let icon = if session.mobile { Icon::Phone } else { Icon::Laptop };
    let action = path_to_with("settings.sessions.destroy", &[("id", &session.id)]);
    let dialog = format!("end-{}", session.id);
    let label = t!("End the session of :device", device = session.device);
    rsx! {
        <Row>
            <Cell column="">
                <span class="flex items-center gap-3">
                    <span class="grid size-10 flex-none place-items-center rounded-control bg-accent-soft text-lg text-link">(icon)</span>
                    <span class="grid min-w-0 gap-0.5">
                        <span class="flex flex-wrap items-center gap-x-2.5 gap-y-1">
                            <span class="font-semibold">(&session.device)</span>
                            @if session.current { <Badge kind=(Kind::Success) text=(&t("This device"))/> }
                        </span>
                        <span class="font-mono text-[0.8125rem] text-muted [overflow-wrap:anywhere]">(&session.ip)</span>
                    </span>
                </span>
            </Cell>
            <Cell column=(&columns[1])><span class="whitespace-nowrap"><When moment=(&session.first_seen)/></span></Cell>
            <Cell column=(&columns[2])><span class="whitespace-nowrap"><When moment=(&session.last_seen)/></span></Cell>
            @if !session.current {
                <Cell column="">
                    <ConfirmedForm
                        id=(&dialog)
                        action=(&action)
                        method="DELETE"
                        label=(&t("End"))
                        aria_label=(Some(&label))
                        tone=(Tone::Quiet)
                        small=true
                        title=(&t("End this session?"))
                        text=(&t!(":device has to sign in again.", device = session.device))
                        ..
                    />
                </Cell>
            } @else if columns.len() > 3 {
                <td class="hidden md:table-cell"></td>
            }
        </Row>
    }
}

fn history(rows: &[HistoryRow]) -> impl Renderable {
    let columns = [t("What"), t("When")];
    rsx! {
        <Card
            title=(&t("What happened lately"))
            text=(&t("If something here was not you, change your password and end the other sessions."))
        >
            @if rows.is_empty() {
                <p class="text-[0.9375rem] text-muted">(t("Nothing has happened yet."))</p>
            } @else {
                <Table caption=(&t("What happened lately")) columns=(&columns)>
                    @for row in rows { (past(row, &columns)) }
                </Table>
            }
        </Card>
    }
}

fn past<'a>(row: &'a HistoryRow, columns: &'a [String]) -> impl Renderable + use<'a> {
    rsx! {
        <Row>
            <Cell column="">
                <span class="grid min-w-0 gap-0.5">
                    <span class="font-semibold">(&row.what)</span>
                    <span class="flex flex-wrap gap-x-2.5 text-[0.8125rem] text-muted">
                        <span>(&row.device)</span>
                        <span class="font-mono [overflow-wrap:anywhere]">(&row.ip)</span>
                    </span>
                </span>
            </Cell>
            <Cell column=(&columns[1])><span class="whitespace-nowrap"><When moment=(&row.at)/></span></Cell>
        </Row>
    }
}
