use housekey::prelude::*;

use crate::views::layouts::base::Base;

/// The about page.
pub fn about() -> impl Renderable {
    rsx! {
        <Base title="About">
            <main id="main">
                <section class="section">
                    <h1>"About"</h1>
                </section>
            </main>
        </Base>
    }
}
