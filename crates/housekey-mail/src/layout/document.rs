use super::html::HtmlWriter;
use super::parts::MailParts;
use crate::Level;

impl MailParts {
    /// The framework's own document around [`MailParts::body`].
    pub fn document(&self) -> String {
        write(self).finish()
    }
}

/// The framework's document. Tables, because that is what every mail program lays out alike; one column of 560
/// pixels that shrinks on a phone; light, and dark where the reader asked for it.
fn write(parts: &MailParts) -> HtmlWriter {
    let mut html = HtmlWriter::default();
    head(&mut html, parts);
    html.markup(BODY_START);
    preheader(&mut html, &parts.preheader);
    html.markup(SHEET_START);
    brand(&mut html, parts);
    html.markup(CARD_START);
    tone(&mut html, parts);
    html.markup(CARD_INNER).part(&super::body::write(parts));
    html.markup(CARD_END);
    footer(&mut html, parts);
    html.markup(SHEET_END);
    html
}

fn head(html: &mut HtmlWriter, parts: &MailParts) {
    html.markup(r#"<!DOCTYPE html><html lang=""#)
        .text(&parts.language)
        .markup(r#"" dir=""#)
        .text(parts.direction)
        .markup(concat!(
            r#"" xmlns="http://www.w3.org/1999/xhtml" xmlns:o="urn:schemas-microsoft-com:office:office"><head>"#,
            r#"<meta charset="utf-8"><meta http-equiv="Content-Type" content="text/html; charset=utf-8">"#,
            r#"<meta name="viewport" content="width=device-width, initial-scale=1">"#,
            r#"<meta name="x-apple-disable-message-reformatting">"#,
            r#"<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">"#,
            r#"<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>"#
        ))
        .text(&parts.subject)
        .markup(concat!(
            "</title><!--[if mso]><xml><o:OfficeDocumentSettings><o:PixelsPerInch>96</o:PixelsPerInch>",
            "</o:OfficeDocumentSettings></xml><![endif]--><style>"
        ))
        .markup(include_str!("dark.css"))
        .markup("</style></head>");
}

const BODY_START: &str = concat!(
    r#"<body class="hk-paper" style="margin:0;padding:0;width:100%;background-color:#f1f5f7;-webkit-text-size-adjust:100%;"#,
    r#"font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif">"#
);

/// Shown in lists of mails, not in the mail. The invisible characters behind it keep the body out of the preview.
fn preheader(html: &mut HtmlWriter, text: &str) {
    html.markup(
        r#"<div style="display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;mso-hide:all;font-size:1px;line-height:1px;color:#f1f5f7">"#,
    )
    .text(text);
    for _ in 0..90 {
        html.markup("&#8199;&#65279;&#847; ");
    }
    html.markup("</div>");
}

const SHEET_START: &str = concat!(
    r##"<table class="hk-paper" role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#f1f5f7" style="background-color:#f1f5f7">"##,
    r#"<tr><td align="center" style="padding:32px 16px 40px;font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif">"#,
    r#"<!--[if mso]><table role="presentation" width="560" align="center" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->"#,
    r#"<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px">"#
);

/// The logo, or the name with its first letter on a tile: a mail should say whose it is before it is read.
fn brand(html: &mut HtmlWriter, parts: &MailParts) {
    html.markup(r#"<tr><td style="padding:0 2px 20px"><a href=""#)
        .text(&parts.app_url)
        .markup(r#"" target="_blank" rel="noopener" style="text-decoration:none">"#);
    match &parts.logo {
        None => wordmark(html, parts),
        Some(logo) => html
            .markup(r#"<img height="32" style="display:block;height:32px;width:auto;border:0" src=""#)
            .text(logo)
            .markup(r#"" alt=""#)
            .text(&parts.app_name)
            .markup(r#"">"#),
    };
    html.markup("</a></td></tr>");
}

fn wordmark<'a>(html: &'a mut HtmlWriter, parts: &MailParts) -> &'a mut HtmlWriter {
    let letter: String = parts
        .app_name
        .chars()
        .find(|char| char.is_alphanumeric())
        .map_or_else(String::new, |char| char.to_uppercase().collect());
    html.markup(r#"<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td width="32" height="32" align="center" valign="middle" bgcolor=""#)
        .text(&parts.brand_colour)
        .markup(r#"" style="width:32px;height:32px;border-radius:8px;font-size:17px;line-height:32px;font-weight:700;color:#ffffff;background-color:"#)
        .text(&parts.brand_colour)
        .markup(r#"">"#)
        .text(&letter)
        .markup(r#"</td><td class="hk-ink" style="padding:0 10px;font-size:17px;line-height:32px;font-weight:700;color:#12222d;letter-spacing:-0.2px">"#)
        .text(&parts.app_name)
        .markup("</td></tr></table>")
}

const CARD_START: &str = concat!(
    r##"<tr><td class="hk-card" bgcolor="#ffffff" style="padding:0;background-color:#ffffff;border:1px solid #dfe7eb;border-radius:12px">"##,
    r#"<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">"#
);

const CARD_INNER: &str =
    r#"<tr><td class="hk-pad" style="padding:36px 40px;overflow-wrap:break-word;word-wrap:break-word">"#;

/// A mail that warns or reports success shows it before the first word.
fn tone(html: &mut HtmlWriter, parts: &MailParts) {
    if parts.level == Level::Info {
        return;
    }
    html.markup(r#"<tr><td height="5" bgcolor=""#)
        .text(&parts.accent)
        .markup(
            r#"" style="height:5px;font-size:0;line-height:0;border-radius:11px 11px 0 0;background-color:"#,
        )
        .text(&parts.accent)
        .markup(r#"">&nbsp;</td></tr>"#);
}

const CARD_END: &str = "</td></tr></table></td></tr>";

fn footer(html: &mut HtmlWriter, parts: &MailParts) {
    html.markup(
        r#"<tr><td class="hk-muted" align="center" style="padding:24px 16px 0;font-size:13px;line-height:20px;color:#56666f">"#,
    );
    match &parts.footer {
        Some(footer) => html.lines(footer),
        None => html.text(&parts.app_name),
    };
    let host = parts.app_url.split_once("://").map_or(parts.app_url.as_str(), |(_, host)| host);
    html.markup(r#"<br><a class="hk-muted" href=""#)
        .text(&parts.app_url)
        .markup(r#"" target="_blank" rel="noopener" style="color:#56666f;text-decoration:underline">"#)
        .text(host.trim_end_matches('/'))
        .markup("</a></td></tr>");
}

const SHEET_END: &str = "</table><!--[if mso]></td></tr></table><![endif]--></td></tr></table></body></html>";
