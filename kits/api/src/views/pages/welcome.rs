use housekey::prelude::*;

use crate::views::layouts::base::Base;

/// The one page. It says what this is, and where the API is described: `docs`, if that is shown at all.
pub fn welcome(app: &AppConfig, docs: Option<&str>) -> impl Renderable {
    rsx! {
        <Base title=(&app.name)>
            <section class="hero">
                <div>
                    <h1>"This house speaks JSON."</h1>
                    <p class="lead">
                        (app.name) " is an API. People get an account, sign in, and carry a token; everything else is "
                        "yours to write, beginning in " <code>"src/routes/api.rs"</code> "."
                    </p>
                    @if let Some(docs) = docs {
                        <p class="ways">
                            <a class="button" href=(docs)>"What it answers"</a>
                            <a href="/api/openapi.json">"OpenAPI 3.1"</a>
                        </p>
                    }
                </div>
                <Talk url=(&app.url)/>
            </section>
            <dl class="facts">
                <div><dt>"Health"</dt><dd><a href=(path_to("health"))>"ask"</a></dd></div>
                <div><dt>"Environment"</dt><dd>%(app.env)</dd></div>
                <div><dt>"Version"</dt><dd>(env!("CARGO_PKG_VERSION"))</dd></div>
            </dl>
        </Base>
    }
}

/// Three things to type into a terminal.
#[component]
fn talk<'a>(url: &'a str) -> impl Renderable {
    rsx! {
        <div class="talk">
            <div>
                <p>"Make an account, or sign in at " <code>(path_to("api.login"))</code></p>
                <pre tabindex="0">
                    <b>"curl"</b> " " (url) (path_to("api.register")) " \\\n"
                    "  -d name=Ada -d email=ada@example.com \\\n"
                    "  -d password='correct horse'"
                </pre>
            </div>
            <div>
                <p>"Keep the token of the answer"</p>
                <pre tabindex="0"><b>"TOKEN"</b> "=…"</pre>
            </div>
            <div>
                <p>"Say who you are with every request"</p>
                <pre tabindex="0">
                    <b>"curl"</b> " " (url) (path_to("api.me")) " \\\n"
                    "  -H \"authorization: Bearer $TOKEN\""
                </pre>
            </div>
        </div>
    }
}
