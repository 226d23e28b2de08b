use super::MailParts;
use crate::{Action, Block};

/// The version for readers without HTML: the same words in the same order.
pub(crate) fn text(parts: &MailParts) -> String {
    let mut paragraphs: Vec<String> = Vec::new();
    paragraphs.extend(parts.greeting.clone());
    paragraphs.extend(parts.intro.iter().map(block));
    if let Some(action) = &parts.action {
        paragraphs.push(link(action));
    }
    paragraphs.extend(parts.outro.iter().map(block));
    paragraphs.push(parts.salutation.clone());
    // The sign that what follows is not part of the letter: readers fold it away.
    paragraphs.push(format!("-- \n{}\n{}", parts.footer.as_ref().unwrap_or(&parts.app_name), parts.app_url));
    let mut text = paragraphs.join("\n\n");
    text.push('\n');
    text
}

fn block(block: &Block) -> String {
    match block {
        Block::Text(text) => text.trim().to_owned(),
        Block::Code(code) => format!("    {}", code.trim()),
        Block::Action(action) => link(action),
    }
}

fn link(action: &Action) -> String {
    format!("{}:\n{}", action.label.trim(), action.url.trim())
}
