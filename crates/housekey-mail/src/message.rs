use serde::{Deserialize, Serialize};

use crate::{Address, Attachment};

/// A mail being written.
///
/// Lines before [`action`](Message::action) stand above its button, lines after it below. The text version and the
/// HTML version come from the same words; every value is escaped.
///
/// ```
/// use housekey_mail::Message;
///
/// let message = Message::new()
///     .to(("ada@example.com", "Ada"))
///     .subject("Reset your password")
///     .greeting("Hello Ada,")
///     .line("Somebody asked to reset the password of your account.")
///     .action("Choose a new password", "https://shop.example/reset-password?token=abc")
///     .line("If it was not you, there is nothing to do.");
///
/// assert_eq!(message.action_url(), Some("https://shop.example/reset-password?token=abc"));
/// ```
// spec: NTF-7
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[must_use = "a message does nothing until it is sent"]
pub struct Message {
    pub(crate) from: Option<Address>,
    pub(crate) to: Vec<Address>,
    pub(crate) cc: Vec<Address>,
    pub(crate) bcc: Vec<Address>,
    pub(crate) reply_to: Vec<Address>,
    pub(crate) subject: String,
    pub(crate) preheader: Option<String>,
    pub(crate) greeting: Option<String>,
    pub(crate) intro: Vec<Block>,
    pub(crate) action: Option<Action>,
    pub(crate) outro: Vec<Block>,
    pub(crate) salutation: Option<String>,
    pub(crate) level: Level,
    pub(crate) attachments: Vec<Attachment>,
    pub(crate) html: Option<String>,
    pub(crate) text: Option<String>,
    pub(crate) locale: Option<String>,
}

impl Message {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn to(mut self, address: impl Into<Address>) -> Self {
        self.to.push(address.into());
        self
    }

    pub fn cc(mut self, address: impl Into<Address>) -> Self {
        self.cc.push(address.into());
        self
    }

    /// Adds somebody who gets a copy without the others knowing.
    pub fn bcc(mut self, address: impl Into<Address>) -> Self {
        self.bcc.push(address.into());
        self
    }

    pub fn reply_to(mut self, address: impl Into<Address>) -> Self {
        self.reply_to.push(address.into());
        self
    }

    /// Sends in somebody's name, instead of the one in `config/mail.rs`.
    pub fn from(mut self, address: impl Into<Address>) -> Self {
        self.from = Some(address.into());
        self
    }

    pub fn subject(mut self, subject: impl Into<String>) -> Self {
        self.subject = subject.into();
        self
    }

    /// The words a list of mails shows behind the subject. Without it the first line is taken.
    pub fn preheader(mut self, text: impl Into<String>) -> Self {
        self.preheader = Some(text.into());
        self
    }

    /// The heading: `Hello Ada,`.
    pub fn greeting(mut self, greeting: impl Into<String>) -> Self {
        self.greeting = Some(greeting.into());
        self
    }

    /// Adds a paragraph.
    pub fn line(self, text: impl Into<String>) -> Self {
        self.block(Block::Text(text.into()))
    }

    /// Adds a code to be typed somewhere, set large. Logs never show it.
    pub fn code(self, code: impl Into<String>) -> Self {
        self.block(Block::Code(code.into()))
    }

    /// Adds a button. Each further call adds one more, where it stands among the lines; the first is what the mail is about.
    pub fn action(mut self, label: impl Into<String>, url: impl Into<String>) -> Self {
        let action = Action { label: label.into(), url: url.into() };
        if self.action.is_some() {
            return self.block(Block::Action(action));
        }
        self.action = Some(action);
        self
    }

    /// The closing words, instead of "Best regards" and the app's name. May be several lines.
    pub fn salutation(mut self, text: impl Into<String>) -> Self {
        self.salutation = Some(text.into());
        self
    }

    /// Says that something went wrong or needs attention: the button and the edge are red.
    pub fn error(self) -> Self {
        self.level(Level::Error)
    }

    /// Says that something went well: the button and the edge are green.
    pub fn success(self) -> Self {
        self.level(Level::Success)
    }

    /// The tone of the mail.
    pub fn level(mut self, level: Level) -> Self {
        self.level = level;
        self
    }

    pub fn attach(mut self, attachment: Attachment) -> Self {
        self.attachments.push(attachment);
        self
    }

    /// Uses this HTML document as it is, in place of the layout. Escaping is the caller's; `rsx!` does it.
    pub fn html(mut self, document: impl Into<String>) -> Self {
        self.html = Some(document.into());
        self
    }

    /// Uses this text as it is for readers without HTML.
    pub fn text(mut self, text: impl Into<String>) -> Self {
        self.text = Some(text.into());
        self
    }

    /// The language of what the framework itself says in the mail (closing words, the note below the button).
    /// Without it, the language of the request.
    pub fn locale(mut self, language: impl Into<String>) -> Self {
        self.locale = Some(language.into());
        self
    }

    /// Where the button leads, the first of several.
    pub fn action_url(&self) -> Option<&str> {
        self.action.as_ref().map(|action| action.url.as_str())
    }

    /// The subject as it was written.
    pub fn subject_text(&self) -> &str {
        &self.subject
    }

    /// Everybody in `to`.
    pub fn recipients(&self) -> &[Address] {
        &self.to
    }

    /// The language it was given.
    pub fn language(&self) -> Option<&str> {
        self.locale.as_deref()
    }

    /// The buttons, in their order.
    pub(crate) fn actions(&self) -> impl Iterator<Item = &Action> {
        self.action.iter().chain(further_actions(&self.outro))
    }

    fn block(mut self, block: Block) -> Self {
        let place = if self.action.is_none() { &mut self.intro } else { &mut self.outro };
        place.push(block);
        self
    }
}

/// The buttons among blocks.
pub(crate) fn further_actions(blocks: &[Block]) -> impl Iterator<Item = &Action> {
    blocks.iter().filter_map(|block| match block {
        Block::Action(action) => Some(action),
        Block::Text(_) | Block::Code(_) => None,
    })
}

/// The button of a mail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Action {
    pub label: String,
    /// Where it leads, an `http` or `https` address.
    pub url: String,
}

/// A piece of a mail's body.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Block {
    /// A paragraph.
    Text(String),
    /// A code to be typed somewhere.
    Code(String),
    /// One more button.
    Action(Action),
}

/// The tone of a mail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Level {
    #[default]
    Info,
    Success,
    Error,
}

#[cfg(test)]
mod tests {
    use super::*;

    // spec: NTF-7
    #[test]
    fn lines_after_the_action_stand_below_it() {
        let message = Message::new().line("above").action("Go", "https://a.example").line("below").code("1");
        assert_eq!(message.intro, [Block::Text("above".into())]);
        assert_eq!(message.outro, [Block::Text("below".into()), Block::Code("1".into())]);
    }

    #[test]
    fn a_second_button_stands_where_it_was_added() {
        let message =
            Message::new().action("Go", "https://a.example").line("or").action("Stay", "https://b.example");
        assert_eq!(message.action_url(), Some("https://a.example"));
        let stay = Action { label: "Stay".into(), url: "https://b.example".into() };
        assert_eq!(message.outro, [Block::Text("or".into()), Block::Action(stay)]);
    }

    #[test]
    fn it_survives_being_queued() {
        let message = Message::new()
            .to("Ada <ada@example.com>")
            .subject("Hi")
            .line("x")
            .success()
            .attach(Attachment::new("a.txt", *b"hello"))
            .locale("de");
        let copy: Message = serde_json::from_value(serde_json::to_value(&message).unwrap()).unwrap();
        assert_eq!(copy, message);
    }
}
