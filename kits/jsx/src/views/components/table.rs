use housekey::prelude::*;

/// Rows with the same columns. On a narrow screen each row is a small list of its own, with the column's name beside
/// every value.
///
/// ```text
/// let columns = [t("Title"), t("Year")];
/// rsx! {
///     <Table caption=(&t("Books")) columns=(&columns)>
///         @for book in &books.items {
///             <Row>
///                 <Cell column=(&columns[0])>(&book.title)</Cell>
///                 <Cell column=(&columns[1])>(book.year)</Cell>
///             </Row>
///         }
///     </Table>
/// }
/// ```
#[component]
pub fn table<'a, R: Renderable>(caption: &'a str, columns: &'a [String], children: &R) -> impl Renderable {
    rsx! {
        <table class="block w-full text-[0.9375rem] md:table">
            <caption class="sr-only">(caption)</caption>
            <thead class="sr-only md:not-sr-only md:table-header-group">
                <tr class="text-left text-sm text-muted">
                    @for column in columns { <th scope="col" class="pr-4 pb-2 font-medium whitespace-nowrap last:pr-0">(column)</th> }
                </tr>
            </thead>
            <tbody class="block divide-y divide-line md:table-row-group">(children)</tbody>
        </table>
    }
}

/// One row of a table.
#[component]
pub fn row<R: Renderable>(children: &R) -> impl Renderable {
    rsx! { <tr class="block py-4 first:pt-0 last:pb-0 md:table-row">(children)</tr> }
}

/// A value of a row, with the name of its column; of none where the value speaks for itself.
#[component]
pub fn cell<'a, R: Renderable>(column: &'a str, children: &R) -> impl Renderable {
    rsx! {
        <td class="flex items-baseline gap-3 py-1 align-middle md:table-cell md:py-4 md:pr-4">
            @if !column.is_empty() { <span aria-hidden="true" class="w-24 flex-none text-sm text-muted md:hidden">(column)</span> }
            <div class="min-w-0 grow">(children)</div>
        </td>
    }
}
