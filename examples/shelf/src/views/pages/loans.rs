use housekey::database::CursorPage;
use housekey::prelude::*;

use crate::models::Loan;
use crate::views::components::{
    Badge, Button, Cell, CursorPagination, EmptyState, Form, Kind, Row, StatusNotice, Table, Tone,
};
use crate::views::layouts::{App, Member, Section};

/// What the page wants to know.
pub struct LoanList {
    pub member: Member,
    /// One's own, with their books.
    pub loans: CursorPage<Loan>,
}

/// `GET /loans`
pub fn loans(props: &LoanList) -> impl Renderable {
    rsx! {
        <App title=(&t("My loans")) member=(&props.member) section=(Section::Loans) trail=(&[])>
            <div class="grid grid-cols-1 gap-6">
                <StatusNotice/>
                <h1 class="font-display text-3xl font-bold tracking-[-0.02em]">(t("My loans"))</h1>
                @if props.loans.items.is_empty() {
                    <EmptyState title=(&t("Nothing borrowed yet")) text=(&t("Books that you borrow are listed here.")) href=(&path_to("books.index")) label=(&t("Look around")) ../>
                } @else {
                    (list(&props.loans.items))
                    <CursorPagination page=(&props.loans)/>
                }
            </div>
        </App>
    }
}

fn list(loans: &[Loan]) -> impl Renderable {
    let columns = [t("Book"), t("Due"), t("State"), t("Action")];
    rsx! {
        <section class="rounded-card border border-line bg-surface p-5 shadow-card sm:p-7">
            <Table caption=(&t("My loans")) columns=(&columns)>
                @for loan in loans {
                    <Row>
                        <Cell column=(&columns[0])><a href=(path_to_with("books.show", &[("book", &loan.book_id.to_string())])) class="link font-semibold">(&loan.book.title)</a></Cell>
                        <Cell column=(&columns[1])>(loan.due_on.to_string())</Cell>
                        <Cell column=(&columns[2])>(state(loan))</Cell>
                        <Cell column="">
                            @if loan.is_open.is_some() {
                                <Form action=(&path_to_with("loans.destroy", &[("loan", &loan.id.to_string())])) method="DELETE">
                                    <div><Button label=(&t("Bring it back")) tone=(Tone::Quiet) small=true ../></div>
                                </Form>
                            }
                        </Cell>
                    </Row>
                }
            </Table>
        </section>
    }
}

fn state(loan: &Loan) -> impl Renderable {
    let (kind, words) = match loan.returned_on {
        Some(day) => (Kind::Info, t!("Returned on :day", day)),
        None if loan.is_overdue() => (Kind::Danger, t("Overdue")),
        None => (Kind::Warning, t("With you")),
    };
    rsx! { <Badge kind=kind text=(&words)/> }
}
