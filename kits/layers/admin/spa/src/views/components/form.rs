use housekey::prelude::*;

/// A form that writes: `<Form action=(&path_to("admin.jobs.forget-all")) method="DELETE"> … </Form>`. It carries its CSRF
/// token, and the method that a browser cannot send itself.
#[component]
pub fn form<'a, R: Renderable>(action: &'a str, method: &'static str, children: &R) -> impl Renderable {
    rsx! {
        <form method="post" action=(action) class="grid grid-cols-1 gap-5">
            (csrf_field())
            @if method != "POST" { (method_field(method)) }
            (children)
        </form>
    }
}
