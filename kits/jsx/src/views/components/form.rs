use housekey::prelude::*;

use super::countdown::Countdown;

/// A form that writes: `<Form action="/settings/password" method="PUT"> … </Form>`. It carries its CSRF token, and the
/// method that a browser cannot send itself. Sent too often, it says for how long to wait.
#[component]
pub fn form<'a, R: Renderable>(action: &'a str, method: &'static str, children: &R) -> impl Renderable {
    let wait = throttled().filter(|sent| sent.is_form(method, action)).map(|sent| sent.wait().as_secs());
    rsx! {
        <form method="post" action=(action) class="grid grid-cols-1 gap-5">
            (csrf_field())
            @if method != "POST" { (method_field(method)) }
            @if let Some(seconds) = wait {
                <Countdown text=(&t("Too many attempts.", &[])) seconds=seconds/>
            }
            (children)
        </form>
    }
}
