use housekey_core::Result;
use hypertext::{Buffer, Renderable};
use serde::Serialize;

/// Data for the page's script, as `<script type="application/json" id="page-data">` (`spec: SHL-10`).
///
/// `@housekey/client` reads it as `page`, and sends its `csrf` with every write.
///
/// ```
/// use housekey_view::{Renderable, page_data};
///
/// # fn main() -> housekey_core::Result<()> {
/// let data = page_data(&serde_json::json!({ "name": "</script><script>alert(1)" }))?;
/// assert_eq!(
///     data.render().into_inner(),
///     r#"<script type="application/json" id="page-data">{"name":"\u003c/script\u003e\u003cscript\u003ealert(1)"}</script>"#,
/// );
/// # Ok(()) }
/// ```
pub fn page_data<T: Serialize + ?Sized>(data: &T) -> Result<PageData> {
    Ok(PageData { json: escape(&serde_json::to_string(data)?) })
}

/// Renders the script element. It keeps the JSON as it will stand there, escaped.
#[derive(Clone, Debug)]
pub struct PageData {
    json: String,
}

impl Renderable for PageData {
    fn render_to(&self, buffer: &mut Buffer) {
        // XSS SAFETY: nothing in the JSON can end the element: see `escape`.
        let html = buffer.dangerously_get_string();
        html.push_str("<script type=\"application/json\" id=\"page-data\">");
        html.push_str(&self.json);
        html.push_str("</script>");
    }
}

/// In a script element only `<` can do harm (`</script`, `<!--`); `>` and `&` are escaped for those who copy the text
/// elsewhere, the line separators for those who evaluate it. All of them occur only inside JSON strings.
fn escape(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for character in json.chars() {
        match character {
            '<' => escaped.push_str("\\u003c"),
            '>' => escaped.push_str("\\u003e"),
            '&' => escaped.push_str("\\u0026"),
            '\u{2028}' => escaped.push_str("\\u2028"),
            '\u{2029}' => escaped.push_str("\\u2029"),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_escaped_reads_back_the_same_and_holds_no_bracket() {
        let hostile = "<!--<script>&amp;\u{2028}\u{2029}\"\\u003c/</ScRiPt>";
        let escaped = page_data(hostile).unwrap().json;
        assert!(!escaped.contains(['<', '>', '&', '\u{2028}', '\u{2029}']), "{escaped}");
        assert_eq!(serde_json::from_str::<String>(&escaped).unwrap(), hostile);
    }
}
