use std::collections::BTreeMap;

use hypertext::{Buffer, Renderable};
use serde::Deserialize;

/// One tag of a document's head or body, as the bundler plugin hands it over and as we make our own.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(super) struct Tag {
    #[serde(rename = "tag")]
    name: String,
    #[serde(default)]
    attrs: BTreeMap<String, Value>,
    #[serde(default)]
    children: Option<Children>,
    #[serde(default)]
    pub(super) position: Position,
}

/// Where a tag goes. The start and the end of the body are the same place for an app that draws the body itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Position {
    #[default]
    HeadPrepend,
    Head,
    BodyPrepend,
    Body,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
enum Value {
    Flag(bool),
    Text(String),
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
enum Children {
    Text(String),
    Tags(Vec<Tag>),
}

impl Tag {
    pub(super) fn new(name: &str, attrs: &[(&str, &str)]) -> Self {
        let attrs = attrs.iter().map(|(name, value)| ((*name).to_owned(), Value::Text((*value).to_owned())));
        Self { name: name.to_owned(), attrs: attrs.collect(), children: None, position: Position::Head }
    }

    pub(super) fn stylesheet(href: &str) -> Self {
        Self::new("link", &[("rel", "stylesheet"), ("href", href)])
    }

    pub(super) fn module(src: &str) -> Self {
        Self::new("script", &[("type", "module"), ("src", src)])
    }

    /// The text of an inline script, whose hash a policy can allow where a nonce cannot be used.
    pub(super) fn inline_script(&self) -> Option<&str> {
        match &self.children {
            Some(Children::Text(text)) if self.name == "script" && !self.attrs.contains_key("src") => {
                Some(text)
            }
            _ => None,
        }
    }

    /// The text of an inline style, likewise.
    pub(super) fn inline_style(&self) -> Option<&str> {
        match &self.children {
            Some(Children::Text(text)) if self.name == "style" => Some(text),
            _ => None,
        }
    }

    /// What may stand in a head. Other elements (a plugin's `<div>` for the body) end a head early.
    pub(super) fn fits_a_head(&self) -> bool {
        matches!(self.name.as_str(), "script" | "link" | "style" | "meta" | "noscript" | "base" | "template")
    }

    /// Writes the tag, with a nonce where one belongs.
    pub(super) fn write(&self, html: &mut String, nonce: Option<&str>) {
        if !is_name(&self.name) {
            return;
        }
        html.push('<');
        html.push_str(&self.name);
        for (name, value) in &self.attrs {
            // The nonce is ours to give; one that was fixed at build time would be no nonce.
            if is_name(name) && name != "nonce" {
                write_attribute(html, name, value);
            }
        }
        if let (Some(nonce), "script" | "style" | "link") = (nonce, self.name.as_str()) {
            html.extend([" nonce=\"", nonce, "\""]);
        }
        html.push('>');
        if matches!(self.name.as_str(), "link" | "meta" | "base") {
            return;
        }
        match &self.children {
            // Scripts, styles and markup come from the developer's own build, not from a visitor.
            Some(Children::Text(text)) => html.push_str(text),
            Some(Children::Tags(tags)) => tags.iter().for_each(|tag| tag.write(html, nonce)),
            None => {}
        }
        html.push_str("</");
        html.push_str(&self.name);
        html.push('>');
    }
}

fn write_attribute(html: &mut String, name: &str, value: &Value) {
    match value {
        Value::Flag(false) => {}
        Value::Flag(true) => {
            html.push(' ');
            html.push_str(name);
        }
        Value::Text(text) => {
            html.push(' ');
            html.push_str(name);
            html.push_str("=\"");
            // XSS SAFETY: the attribute rendering of `str` escapes quotes, ampersands and angle brackets.
            text.as_str().render_to(Buffer::dangerously_from_string_mut(html).as_attribute_buffer());
            html.push('"');
        }
    }
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_:.".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(json: &str) -> String {
        let mut html = String::new();
        let tag: Tag = serde_json::from_str(json).unwrap();
        tag.write(&mut html, Some("n"));
        html
    }

    #[test]
    fn tags_are_written_as_the_plugin_named_them_and_get_a_nonce() {
        let script =
            r#"{"tag":"script","attrs":{"type":"module","async":true,"defer":false},"children":"go()"}"#;
        assert_eq!(html(script), r#"<script async type="module" nonce="n">go()</script>"#);
        let nested = r#"{"tag":"noscript","children":[{"tag":"link","attrs":{"href":"/x.css"}}]}"#;
        assert_eq!(html(nested), r#"<noscript><link href="/x.css" nonce="n"></noscript>"#);
        assert_eq!(html(r#"{"tag":"meta","attrs":{"name":"a"}}"#), r#"<meta name="a">"#);
    }

    #[test]
    fn attribute_values_are_escaped_and_strange_names_and_fixed_nonces_left_out() {
        let tag = r#"{"tag":"link","attrs":{"href":"/\"><script>","on x":"y","nonce":"old"}}"#;
        assert_eq!(html(tag), r#"<link href="/&quot;&gt;&lt;script&gt;" nonce="n">"#);
        assert_eq!(html(r#"{"tag":"x><script"}"#), "");
    }
}
