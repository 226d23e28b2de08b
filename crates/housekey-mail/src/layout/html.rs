/// Writes HTML. Markup can only be text that stands in our source; whatever comes from outside goes through
/// [`HtmlWriter::text`], which escapes it. So there is no way to forget.
#[derive(Default)]
pub(super) struct HtmlWriter(String);

impl HtmlWriter {
    pub(super) fn markup(&mut self, markup: &'static str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// Text, or the inside of a quoted attribute.
    pub(super) fn text(&mut self, text: &str) -> &mut Self {
        push_escaped(&mut self.0, text);
        self
    }

    /// Text whose line breaks stay.
    pub(super) fn lines(&mut self, text: &str) -> &mut Self {
        for (number, line) in text.trim().lines().enumerate() {
            if number > 0 {
                self.0.push_str("<br>");
            }
            push_escaped(&mut self.0, line.trim_end());
        }
        self
    }

    /// What another writer wrote.
    pub(super) fn part(&mut self, part: &Self) -> &mut Self {
        self.0.push_str(&part.0);
        self
    }

    pub(super) fn finish(self) -> String {
        self.0
    }
}

/// Makes text safe inside HTML, also within a quoted attribute. For layouts written by hand; `rsx!` needs no help.
///
/// ```
/// assert_eq!(housekey_mail::escape("<b>\"A & B\"</b>"), "&lt;b&gt;&quot;A &amp; B&quot;&lt;/b&gt;");
/// ```
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    push_escaped(&mut escaped, text);
    escaped
}

fn push_escaped(target: &mut String, text: &str) {
    for char in text.chars() {
        match char {
            '&' => target.push_str("&amp;"),
            '<' => target.push_str("&lt;"),
            '>' => target.push_str("&gt;"),
            '"' => target.push_str("&quot;"),
            '\'' => target.push_str("&#39;"),
            // Readers differ in what they make of control characters; none of them carries meaning here.
            char if char.is_control() && !matches!(char, '\n' | '\t') => {}
            char => target.push(char),
        }
    }
}
