use housekey::prelude::*;

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
pub fn description(sections: &[Section<'_>]) -> impl Renderable {
    rsx! {
        <section class="description" id="description" aria-labelledby="description-title">
            <h2 id="description-title">"How to talk to it"</h2>
            <p class="lead">
                "Everything is JSON, errors too. Sign in, keep the token of the answer, and send it with every request "
                "as " <code>"authorization: Bearer <token>"</code> ". Programs read the same at "
                <a href="/api/openapi.json">"/api/openapi.json"</a> "."
            </p>
            @for section in sections {
                <div class="section">
                    <h3>(section.title)</h3>
                    <p>(section.about)</p>
                    @for operation in &section.operations {
                        (details(operation))
                    }
                </div>
            }
        </section>
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
            <h4>(title)</h4>
            <dl>
                @for (name, meaning) in rows {
                    <dt>(name)</dt>
                    <dd>(meaning)</dd>
                }
            </dl>
        }
    }
}
