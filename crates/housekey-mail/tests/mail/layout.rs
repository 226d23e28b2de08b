//! What a mail looks like, in both versions.

use std::collections::BTreeSet;

use crate::support::{app, reset_mail};
use housekey_core::translation::Translator;
use housekey_core::{Scope, Services};
use housekey_mail::{
    Brand, MailConfig, MailError, Mailer, Message, OutgoingMail, TransportConfig, escape, layout,
};

fn mailer(config: MailConfig) -> Mailer {
    let config = MailConfig { default: "fake".into(), ..config }.with_mailer("fake", TransportConfig::Fake);
    Mailer::builder(&config, &app()).build().unwrap()
}

async fn rendered(message: Message) -> OutgoingMail {
    mailer(MailConfig::default()).render(message).await.unwrap()
}

// spec: NTF-7
#[tokio::test]
async fn the_text_version_says_the_same_in_the_same_order() {
    let mail = rendered(reset_mail().code("481 516")).await;
    assert_eq!(
        mail.text(),
        "Hello Ada,\n\n\
         Somebody asked to reset the password of your account at Lantern & Co. The link below works once, for one hour.\n\n\
         Choose a new password:\nhttps://lantern.example/reset-password?token=T0p-s3cret&email=ada%40example.com\n\n\
         If it was not you, there is nothing to do: your password stays as it is.\n\n\
         \x20   481 516\n\n\
         Best regards,\nLantern & Co\n\n-- \nLantern & Co\nhttps://lantern.example\n"
    );
}

#[tokio::test]
async fn whatever_a_visitor_wrote_is_escaped_everywhere() {
    let evil = "<script>alert('x')</script>\"><img src=x onerror=alert(1)>";
    let message = Message::new()
        .to(("ada@example.com", evil))
        .subject(evil)
        .preheader(evil)
        .greeting(evil)
        .line(evil)
        .code(evil)
        .action(evil, format!("https://a.example/?{}", evil.replace(' ', "+")))
        .line(evil)
        .action(evil, format!("https://b.example/?{}", evil.replace(' ', "+")))
        .salutation(evil);
    let mail = rendered(message).await;
    assert!(!mail.html().contains("<script") && !mail.html().contains("<img"), "{}", mail.html());
    assert!(mail.html().contains("&lt;script&gt;alert(&#39;x&#39;)"));
}

// spec: NTF-7
#[tokio::test]
async fn each_of_several_buttons_stands_below_its_own_lines() {
    let message = Message::new()
        .to("ada@example.com")
        .subject("Tomorrow")
        .line("08:00 Yoga")
        .action("Cancel the first", "https://a.example/1")
        .line("18:30 Pilates")
        .action("Cancel the second", "https://a.example/2")
        .line("See you!");
    let mail = rendered(message).await;
    assert_eq!(mail.link().as_deref(), Some("https://a.example/1"));
    assert_eq!(mail.links()[..2], ["https://a.example/1", "https://a.example/2"]);
    let expected = "08:00 Yoga\n\nCancel the first:\nhttps://a.example/1\n\n\
                    18:30 Pilates\n\nCancel the second:\nhttps://a.example/2\n\nSee you!";
    assert!(mail.text().starts_with(expected), "{}", mail.text());
    let html = mail.html();
    let at = |needle: &str| html.find(needle).unwrap_or_else(|| panic!("no {needle} in {html}"));
    let places = [
        at(">08:00 Yoga<"),
        at("href=\"https://a.example/1\""),
        at(">18:30 Pilates<"),
        at("href=\"https://a.example/2\""),
        at(">See you!<"),
    ];
    assert!(places.is_sorted(), "{places:?}");
    // As buttons, and in plain sight at the end.
    assert_eq!(html.matches("href=\"https://a.example/2\"").count(), 2, "{html}");
}

#[tokio::test]
async fn a_button_leads_to_the_web_and_nowhere_else() {
    for url in [
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        " data:text/html,x",
        "/reset?token=x",
        "",
        "https://a.example/\r\nX: y",
        "https://a.example/ b",
        "file:///etc/passwd",
    ] {
        let error = mailer(MailConfig::default()).render(reset_mail().action("Go", url)).await.unwrap_err();
        assert!(error.downcast_ref::<MailError>().unwrap().is_permanent(), "{url}");
        assert!(!error.to_string().contains("token"), "{error}");
    }
}

#[tokio::test]
async fn a_message_without_recipient_or_subject_says_what_to_add() {
    let mailer = mailer(MailConfig::default());
    let error = mailer.send(Message::new().subject("x")).await.unwrap_err().to_string();
    assert!(error.contains(".to("), "{error}");
    let error =
        mailer.send(Message::new().to("ada@example.com").subject(" \r\n ")).await.unwrap_err().to_string();
    assert!(error.contains(".subject("), "{error}");
}

// spec: CFG-16
#[tokio::test]
async fn a_layout_of_ones_own_wraps_every_mail() {
    let config = MailConfig {
        layout: layout(|mail| {
            format!("<!doctype html><title>{}</title><main>{}</main>", escape(&mail.subject), mail.body())
        }),
        ..Default::default()
    };
    let mail = mailer(config).render(reset_mail().subject("A & B")).await.unwrap();
    assert!(mail.html().starts_with("<!doctype html><title>A &amp; B</title><main><h1"), "{}", mail.html());
    assert!(mail.html().contains("Choose a new password") && mail.text().starts_with("Hello Ada,"));
}

/// A mail with everything in it.
async fn whole() -> String {
    rendered(reset_mail().preheader("Works for one hour").code("481 516")).await.html().to_owned()
}

/// The opening tags of this name, without their brackets.
fn tags<'a>(html: &'a str, name: &str) -> Vec<&'a str> {
    let start = format!("<{name} ");
    html.match_indices(&start).map(|(at, _)| html[at + 1..].split('>').next().unwrap()).collect()
}

/// The classes of ours in a style sheet.
fn classes(text: &str) -> BTreeSet<&str> {
    text.match_indices("hk-")
        .map(|(at, _)| text[at..].split(|char: char| !char.is_ascii_lowercase() && char != '-'))
        .map(|mut words| words.next().unwrap())
        .collect()
}

/// Many mail programs drop style sheets.
#[tokio::test]
async fn every_text_brings_its_own_style() {
    let html = whole().await;
    let texts = [tags(&html, "h1"), tags(&html, "p")].concat();
    assert!(texts.len() >= 4, "a heading, two lines and the closing words: {texts:?}");
    for needed in ["font-size:", "line-height:", ";color:#"] {
        let without: Vec<_> = texts.iter().filter(|tag| !tag.contains(needed)).collect();
        assert!(without.is_empty(), "{needed} is missing in {without:?}");
    }
}

#[tokio::test]
async fn what_changes_its_colour_in_the_dark_is_in_the_mail_and_the_other_way_round() {
    let html = whole().await;
    let (before, rest) = html.split_once("<style>").unwrap();
    let (sheet, after) = rest.split_once("</style>").unwrap();
    assert!(before.contains(r#"<meta name="color-scheme" content="light dark">"#), "{before}");
    let (light, dark) = sheet.split_once("@media (prefers-color-scheme:dark){").unwrap();
    let mut styled = classes(dark);
    styled.extend(classes(light));
    let used: BTreeSet<&str> = after
        .match_indices("class=\"")
        .flat_map(|(at, start)| after[at + start.len()..].split('"').next().unwrap().split(' '))
        .collect();
    assert_eq!(styled, used);
}

/// A screen reader would read out rows and columns otherwise.
#[tokio::test]
async fn tables_are_for_laying_out_and_say_so() {
    let html = whole().await;
    let tables = tags(&html, "table");
    assert_eq!(tables.len(), html.matches("<table").count());
    assert!(tables.iter().all(|table| table.contains(r#"role="presentation""#)), "{tables:?}");
}

/// Outlook reads what others take for comments.
#[tokio::test]
async fn the_document_is_whole_with_what_only_outlook_reads_and_without_it() {
    let html = whole().await;
    let outlook = html.replace("<!--[if mso]>", "").replace("<![endif]-->", "");
    let others: String = html
        .split("<!--[if mso]>")
        .map(|part| part.split_once("<![endif]-->").map_or(part, |(_, after)| after))
        .collect();
    assert_ne!(outlook.len(), others.len());
    for read in [outlook, others] {
        assert!(!read.contains("[if mso]") && !read.contains("[endif]"), "{read}");
        for name in ["table", "tr", "td", "p", "a", "div"] {
            let opened = read.matches(&format!("<{name}>")).count() + tags(&read, name).len();
            assert_eq!(opened, read.matches(&format!("</{name}>")).count(), "{name} in {read}");
        }
    }
}

#[tokio::test]
async fn the_button_is_a_cell_of_its_colour_and_its_address_is_there_to_be_read() {
    let html = whole().await;
    let label = html.find(">Choose a new password</a>").unwrap();
    let cell = &html[html[..label].rfind("<td ").unwrap()..label];
    assert!(cell.contains(r##"bgcolor="#17495f""##) && cell.contains("background-color:#17495f"), "{cell}");
    let below = html[label..].split_once("If the button “Choose a new password” does not work").unwrap().1;
    assert!(below.contains(
        ">https://lantern.example/reset-password?token=T0p-s3cret&amp;email=ada%40example.com</a>"
    ));
}

#[tokio::test]
async fn a_list_of_mails_shows_the_preview_and_the_mail_does_not() {
    let html = whole().await;
    let hidden = tags(&html, "div");
    assert!(matches!(hidden[..], [only] if only.contains("display:none;max-height:0")), "{hidden:?}");
    let (before, after) = html.split_once("Works for one hour").unwrap();
    assert!(before.ends_with('>') && before.rfind("<div ") > before.rfind("<body "), "{before}");
    assert!(!after.contains("Works for one hour"));
    // Gmail cuts mails at 102 KB.
    assert!(html.len() < 100_000, "{}", html.len());
}

#[tokio::test]
async fn the_tone_changes_the_colour_and_the_brand_its_own() {
    let brand =
        Brand { accent: "#6a1b9a".into(), footer: Some("Lantern GmbH\nBerlin".into()), ..Default::default() };
    let mailer = mailer(MailConfig { brand, ..Default::default() });
    let plain = mailer.render(reset_mail()).await.unwrap();
    assert!(plain.html().contains("bgcolor=\"#6a1b9a\"") && plain.html().contains("Lantern GmbH<br>Berlin"));
    let warning = mailer.render(reset_mail().error()).await.unwrap();
    assert!(warning.html().contains("bgcolor=\"#b3261e\""));

    let brand = Brand { accent: "red;background:url(//evil.example)".into(), ..Default::default() };
    let config = MailConfig { default: "log".into(), brand, ..Default::default() };
    assert!(Mailer::builder(&config, &app()).build().unwrap_err().to_string().contains("#rrggbb"));
}

// spec: NTF-6
#[tokio::test]
async fn our_own_sentences_speak_the_recipients_language() {
    let german = r#"{
        "Best regards,": "Viele Grüße",
        "If the button “:label” does not work, copy this address into your browser:": "Klappt „:label“ nicht? Hier entlang:"
    }"#;
    let mut services = Services::builder();
    services.insert(Translator::new("en").with("de", german).unwrap());
    let mailer = mailer(MailConfig::default());
    let (de, fr, ar) = Scope::new(services.build())
        .enter(async {
            (
                mailer.render(reset_mail().locale("de-AT")).await.unwrap(),
                mailer.render(reset_mail().locale("fr")).await.unwrap(),
                mailer.render(reset_mail().locale("ar")).await.unwrap(),
            )
        })
        .await;
    assert!(
        de.text().contains("Viele Grüße\nLantern & Co") && de.html().contains("Klappt „Choose"),
        "{}",
        de.text()
    );
    assert!(de.html().contains("<html lang=\"de-AT\""));
    assert!(fr.text().contains("Best regards,\nLantern & Co"));
    assert!(ar.html().contains("dir=\"rtl\""));
}

#[tokio::test]
async fn a_document_of_ones_own_is_sent_as_it_is() {
    let mail = rendered(reset_mail().html("<p>Mine</p>").text("Mine")).await;
    assert_eq!((mail.html(), mail.text()), ("<p>Mine</p>", "Mine"));
}
