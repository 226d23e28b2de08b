use super::html::HtmlWriter;
use super::parts::MailParts;
use crate::message::further_actions;
use crate::{Action, Block};

impl MailParts {
    /// The inner part as safe HTML with its styles inlined: greeting, lines, button, closing words and the address
    /// below the button. Put it into a cell or a `div`.
    pub fn body(&self) -> String {
        write(self).finish()
    }
}

/// The inner part. Styles stand on every element because many mail programs drop style sheets; the classes are only
/// for the ones that keep them, and change colours in the dark.
pub(super) fn write(parts: &MailParts) -> HtmlWriter {
    let mut html = HtmlWriter::default();
    if let Some(greeting) = &parts.greeting {
        html.markup(GREETING).lines(greeting).markup("</h1>");
    }
    blocks(&mut html, &parts.intro, &parts.accent);
    if let Some(action) = &parts.action {
        button(&mut html, action, &parts.accent);
    }
    blocks(&mut html, &parts.outro, &parts.accent);
    html.markup(SALUTATION).lines(&parts.salutation).markup("</p>");
    if let Some(action) = &parts.action {
        addresses(&mut html, action, further_actions(&parts.outro), &parts.fallback);
    }
    html
}

const GREETING: &str = r#"<h1 class="hk-ink" style="margin:0 0 16px;font-size:22px;line-height:30px;font-weight:700;color:#12222d;letter-spacing:-0.2px">"#;

const LINE: &str =
    r#"<p class="hk-ink" style="margin:0 0 16px;font-size:16px;line-height:25px;color:#26343e">"#;

const SALUTATION: &str =
    r#"<p class="hk-ink" style="margin:24px 0 0;font-size:16px;line-height:25px;color:#26343e">"#;

fn blocks(html: &mut HtmlWriter, blocks: &[Block], accent: &str) {
    for block in blocks {
        match block {
            Block::Text(text) => {
                html.markup(LINE).lines(text).markup("</p>");
            }
            Block::Action(action) => button(html, action, accent),
            Block::Code(code) => {
                html
                .markup(concat!(
                    r#"<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px">"#,
                    r##"<tr><td class="hk-code" align="center" bgcolor="#eef3f6" style="padding:18px 16px;background-color:#eef3f6;"##,
                    r#"border-radius:8px;font-family:ui-monospace,Menlo,Consolas,'Courier New',monospace;font-size:28px;line-height:34px;"#,
                    r#"font-weight:700;letter-spacing:4px;color:#12222d">"#
                ))
                .lines(code)
                .markup("</td></tr></table>");
            }
        }
    }
}

/// A table cell with a background: what Outlook draws as a button. Others see the rounded link in it.
fn button(html: &mut HtmlWriter, action: &Action, accent: &str) {
    html.markup(concat!(
        r#"<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px;border-collapse:separate">"#,
        r#"<tr><td align="center" valign="middle" bgcolor=""#
    ))
    .text(accent)
    .markup(r#"" style="border-radius:8px;background-color:"#)
    .text(accent)
    .markup(r#";mso-padding-alt:13px 26px"><a href=""#)
    .text(&action.url)
    .markup(concat!(
        r#"" target="_blank" rel="noopener" style="display:inline-block;padding:13px 26px;border-radius:8px;"#,
        r#"font-size:16px;line-height:22px;font-weight:600;color:#ffffff;text-decoration:none;background-color:"#
    ))
    .text(accent)
    .markup(r#"">"#)
    .text(action.label.trim())
    .markup("</a></td></tr></table>");
}

/// The addresses in plain sight: for programs that block buttons, and for people who look before they go.
fn addresses<'a>(
    html: &mut HtmlWriter,
    first: &Action,
    further: impl Iterator<Item = &'a Action>,
    sentence: &str,
) {
    html.markup(concat!(
        r#"<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:28px 0 0">"#,
        r#"<tr><td class="hk-line hk-muted" style="padding:18px 0 0;border-top:1px solid #e1e8ec;font-size:13px;line-height:20px;color:#56666f">"#
    ))
    .text(sentence)
    .markup("<br>");
    link(html, first);
    for action in further {
        html.markup("<br>").text(action.label.trim()).markup(": ");
        link(html, action);
    }
    html.markup("</td></tr></table>");
}

fn link(html: &mut HtmlWriter, action: &Action) {
    html.markup(r#"<a class="hk-link" href=""#)
        .text(&action.url)
        .markup(r#"" target="_blank" rel="noopener" style="color:#17495f;text-decoration:underline;word-break:break-all">"#)
        .text(&action.url)
        .markup("</a>");
}
