use housekey::prelude::*;

use crate::views::layouts::base::Base;

/// Operations under one heading.
pub struct Section<'a> {
    pub title: &'a str,
    pub about: &'a str,
    pub operations: Vec<Operation<'a>>,
}

/// One method of one path.
pub struct Operation<'a> {
    pub method: String,
    pub path: &'a str,
    pub summary: &'a str,
    pub note: &'a str,
    pub needs_token: bool,
    /// What the body holds: name and meaning.
    pub fields: Vec<(&'a str, &'a str)>,
    /// What comes back: status and meaning.
    pub answers: Vec<(&'a str, &'a str)>,
}

/// The description of the API, for people.
pub fn api_docs(app: &AppConfig, sections: &[Section<'_>]) -> impl Renderable {
    let title = format!("Documentation · {}", app.name);
    rsx! {
        <Base title=(&title)>
            <div class="intro">
                <h1>"How to talk to " (app.name)</h1>
                <p class="lead">
                    "Everything is JSON, errors too. Sign in, keep the token of the answer, and send it with every request "
                    "as " <code>"authorization: Bearer <token>"</code> ". Programs read the same at "
                    <a href="/api/docs.json">"/api/docs.json"</a> "."
                </p>
            </div>
            @for section in sections {
                <section class="section">
                    <h2>(section.title)</h2>
                    <p>(section.about)</p>
                    @for operation in &section.operations {
                        (details(operation))
                    }
                </section>
            }
        </Base>
    }
}

fn details(operation: &Operation<'_>) -> impl Renderable {
    rsx! {
        <details class="operation">
            <summary>
                <span class=(format!("method {}", operation.method.to_lowercase()))>(operation.method)</span>
                <code>(operation.path)</code>
                @if operation.needs_token { <span class="locked">"with token"</span> }
                <span>(operation.summary)</span>
            </summary>
            <div class="details">
                @if !operation.note.is_empty() { <p>(operation.note)</p> }
                (table("The body", &operation.fields))
                (table("What comes back", &operation.answers))
            </div>
        </details>
    }
}

fn table(title: &str, rows: &[(&str, &str)]) -> impl Renderable {
    rsx! {
        @if !rows.is_empty() {
            <h3>(title)</h3>
            <dl>
                @for (name, meaning) in rows {
                    <dt>(name)</dt>
                    <dd>(meaning)</dd>
                }
            </dl>
        }
    }
}
