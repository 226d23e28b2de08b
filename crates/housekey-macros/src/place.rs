//! Where the compiler points to when a field's type does not fit.

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::Field;
use syn::spanned::Spanned;

/// Where an error about a field's type points to. Names mean what they mean in our code, also in a struct that a macro
/// of the app wrote.
pub(crate) fn place_of(field: &Field) -> Span {
    field.ty.span().resolved_at(Span::call_site())
}

/// A path, written there.
pub(crate) fn at(path: &TokenStream, place: Span) -> TokenStream {
    let move_there = |mut token: TokenTree| {
        token.set_span(place);
        token
    };
    path.clone().into_iter().map(move_there).collect()
}
