use housekey_core::AppConfig;
use housekey_core::translation::{locale, t};

use super::Brand;
use crate::address::one_line;
use crate::{Action, Block, Level, Message};

/// What a mail consists of, as a layout gets it. Nothing here is escaped, except what the functions return.
///
/// A layout of one's own wraps [`MailParts::body`] in a document, or reads the fields and draws everything itself.
// spec: CFG-16
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MailParts {
    pub app_name: String,
    /// The app's address.
    pub app_url: String,
    pub subject: String,
    /// The words a list of mails shows behind the subject.
    pub preheader: String,
    /// The heading.
    pub greeting: Option<String>,
    /// What stands above the button.
    pub intro: Vec<Block>,
    /// The button, the first of several.
    pub action: Option<Action>,
    /// What stands below the button, further ones among it.
    pub outro: Vec<Block>,
    /// The closing words.
    pub salutation: String,
    /// The sentence before the address that is there for readers whose button does not work.
    pub fallback: String,
    /// The tone of the mail, which the colour of the button follows.
    pub level: Level,
    /// The language, for `<html lang>`.
    pub language: String,
    /// `ltr` or `rtl`, for `<html dir>`.
    pub direction: &'static str,
    /// The colour of the button: the brand's, or that of the tone.
    pub accent: String,
    /// The brand's colour, whatever the tone.
    pub brand_colour: String,
    /// The address of the logo.
    pub logo: Option<String>,
    pub footer: Option<String>,
}

impl MailParts {
    /// Reads a message; the framework's own sentences are spoken in the present language.
    // spec: NTF-6
    pub(crate) fn new(message: &Message, app: &AppConfig, brand: &Brand) -> Self {
        let language = locale();
        let fallback = message.action.as_ref().map(|action| {
            t!(
                "If the button “:label” does not work, copy this address into your browser:",
                label = action.label
            )
        });
        Self {
            app_name: app.name.clone(),
            app_url: app.url.clone(),
            subject: one_line(&message.subject),
            preheader: one_line(&preheader(message)),
            greeting: message.greeting.clone(),
            intro: message.intro.clone(),
            action: message.action.clone(),
            outro: message.outro.clone(),
            salutation: message
                .salutation
                .clone()
                .unwrap_or_else(|| format!("{}\n{}", t("Best regards,"), app.name)),
            fallback: fallback.unwrap_or_default(),
            level: message.level,
            direction: direction(&language),
            language,
            accent: accent(message.level, brand),
            brand_colour: accent(Level::Info, brand),
            logo: brand
                .logo
                .clone()
                .filter(|logo| logo.starts_with("https://") || logo.starts_with("http://")),
            footer: brand.footer.clone(),
        }
    }
}

/// The first line is a better preview than what a mail program would pick (often the address of the logo).
fn preheader(message: &Message) -> String {
    let first = || {
        message.intro.iter().chain(&message.outro).find_map(|block| match block {
            Block::Text(text) => Some(text.clone()),
            // Behind the subject on a locked screen is no place for a code.
            Block::Code(_) | Block::Action(_) => None,
        })
    };
    message.preheader.clone().or_else(first).unwrap_or_default()
}

fn direction(language: &str) -> &'static str {
    match language.split(['-', '_']).next().unwrap_or_default() {
        "ar" | "dv" | "fa" | "he" | "ps" | "sd" | "ug" | "ur" | "yi" => "rtl",
        _ => "ltr",
    }
}

fn accent(level: Level, brand: &Brand) -> String {
    let colour = match level {
        Level::Error => "#b3261e",
        Level::Success => "#1c6b45",
        Level::Info if is_colour(&brand.accent) => &brand.accent,
        Level::Info => return Brand::default().accent,
    };
    colour.to_owned()
}

/// `#rrggbb` or `#rgb`, nothing that could leave the style it stands in.
pub(crate) fn is_colour(text: &str) -> bool {
    text.strip_prefix('#').is_some_and(|digits| {
        matches!(digits.len(), 3 | 6) && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}
