use housekey::auth::gate::can;
use housekey::prelude::*;

use crate::models::{Book, Loan};
use crate::views::components::{
    Availability, Badge, Button, ButtonLink, Card, Cell, ConfirmedForm, Form, Icon, Kind, Row, StatusNotice,
    Table, Tone,
};
use crate::views::layouts::{App, Member, Section};

/// What the page wants to know.
pub struct BookPage {
    pub member: Member,
    /// With its tags.
    pub book: Book,
    /// The newest, with their readers.
    pub loans: Vec<Loan>,
    pub cover: Option<String>,
}

/// `GET /books/{book}`
pub fn show(props: &BookPage) -> impl Renderable {
    let book = &props.book;
    let open = props.loans.iter().find(|loan| loan.is_open.is_some());
    let trail = [(t("Books"), path_to("books.index"))];
    rsx! {
        <App title=(&book.title) member=(&props.member) section=(Section::Books) trail=(&trail)>
            <div class="grid grid-cols-1 gap-6">
                <StatusNotice/>
                <div class="grid gap-6 sm:grid-cols-[10rem_minmax(0,1fr)]">
                    (cover(props))
                    <div class="grid content-start gap-4">
                        <div>
                            <h1 class="font-display text-3xl font-bold tracking-[-0.02em] [overflow-wrap:anywhere]">(&book.title)</h1>
                            <p class="mt-1 text-lg text-muted">(&book.author)</p>
                        </div>
                        <Availability book=(book.id) is_lent=(open.is_some())/>
                        (facts(book))
                        (actions(book, open))
                    </div>
                </div>
                @if can("run-library", ()) { (history(&props.loans)) }
            </div>
        </App>
    }
}

fn cover(props: &BookPage) -> impl Renderable {
    rsx! {
        @if let Some(url) = &props.cover {
            <img src=(url) alt=(t!("Cover of :title", title = props.book.title)) class="w-full max-w-40 rounded-card border border-line shadow-card">
        } @else {
            <div class="grid aspect-[2/3] max-w-40 place-items-center rounded-card border border-line bg-sunken text-sm text-muted">(t("No cover yet"))</div>
        }
    }
}

fn facts(book: &Book) -> impl Renderable {
    let pages = book.pages.map(|pages| pages.to_string()).unwrap_or_default();
    let facts = [
        (t("ISBN"), book.isbn.clone()),
        (t("Pages"), pages),
        (t("Price"), book.price.to_string()),
        (t("Bought"), book.bought_on.to_string()),
    ];
    rsx! {
        <dl class="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1 text-[0.9375rem]">
            @for (name, value) in facts.iter().filter(|(_, value)| !value.is_empty()) {
                <dt class="text-muted">(name)</dt><dd>(value)</dd>
            }
        </dl>
        <p class="flex flex-wrap gap-2">
            @for tag in &book.tags { <Badge kind=(Kind::Info) text=(&tag.name)/> }
        </p>
    }
}

fn actions<'a>(book: &'a Book, open: Option<&'a Loan>) -> impl Renderable + use<'a> {
    let to = move |route: &str| path_to_with(route, &[("book", &book.id.to_string())]);
    rsx! {
        <div class="flex flex-wrap items-start gap-3">
            @match open {
                None => {
                    <Form action=(&to("loans.store")) method="POST"><div><Button label=(&t("Borrow")) ../></div></Form>
                }
                Some(loan) if can("return", loan) => {
                    <Form action=(&path_to_with("loans.destroy", &[("loan", &loan.id.to_string())])) method="DELETE"><div><Button label=(&t("Bring it back")) ../></div></Form>
                }
                Some(loan) => { <p class="text-[0.9375rem] text-muted">(t!("Expected back on :day.", day = loan.due_on))</p> }
            }
            @if can("update", book) {
                <ButtonLink href=(&to("books.edit")) label=(&t("Edit")) tone=(Tone::Quiet) icon=(Some(Icon::Pencil)) ../>
                <ConfirmedForm
                    id="remove-book"
                    action=(&to("books.destroy"))
                    method="DELETE"
                    label=(&t("Remove"))
                    tone=(Tone::Quiet)
                    icon=(Some(Icon::Trash))
                    title=(&t("Take this book off the shelf?"))
                    text=(&t("Nobody will find it any more. Its loans stay written down."))
                    ..
                />
            }
        </div>
    }
}

fn history(loans: &[Loan]) -> impl Renderable {
    let columns = [t("Reader"), t("Lent"), t("Due"), t("Returned")];
    rsx! {
        @if !loans.is_empty() {
            <Card title=(&t("Loans")) text="">
                <Table caption=(&t("Loans")) columns=(&columns)>
                    @for loan in loans {
                        <Row>
                            <Cell column=(&columns[0])>
                                @if let Some(reader) = loan.reader.as_ref() { (&reader.name) } @else { (t("A deleted account")) }
                            </Cell>
                            <Cell column=(&columns[1])>(loan.lent_on.to_string())</Cell>
                            <Cell column=(&columns[2])>(loan.due_on.to_string())</Cell>
                            <Cell column=(&columns[3])>(loan.returned_on.map(|day| day.to_string()).unwrap_or_default())</Cell>
                        </Row>
                    }
                </Table>
            </Card>
        }
    }
}
