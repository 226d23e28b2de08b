// says: no function or associated item named `hreff`
// says: there is an associated constant `href` with a similar name
pub fn mistake() -> impl Renderable {
    rsx! { <a hreff="/">"Home"</a> }
}
