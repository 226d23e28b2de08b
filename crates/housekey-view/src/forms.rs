use housekey_http::csrf::{FIELD, csrf_token};
use hypertext::context::AttributeValue;
use hypertext::{Raw, Renderable, prelude::*};

/// The hidden field every form that writes needs: without it the answer is 419.
///
/// ```
/// use housekey_view::prelude::*;
///
/// fn sign_out() -> impl Renderable {
///     rsx! {
///         <form method="post" action="/sign-out">
///             (csrf_field())
///             <button>"Sign out"</button>
///         </form>
///     }
/// }
/// # sign_out();
/// ```
pub fn csrf_field() -> impl Renderable {
    // XSS SAFETY: the token is made of letters, digits, `-` and `_`.
    let token = Raw::<_, AttributeValue>::dangerously_create(csrf_token());
    rsx! { <input type="hidden" name=(FIELD) value=(token)> }
}

/// The hidden field that lets a form, which can only `POST`, mean another method.
///
/// ```
/// use housekey_view::prelude::*;
///
/// assert_eq!(
///     method_field("DELETE").render().into_inner(),
///     r#"<input type="hidden" name="_method" value="DELETE">"#,
/// );
/// ```
pub fn method_field(method: &'static str) -> impl Renderable {
    rsx! { <input type="hidden" name="_method" value=(method)> }
}
