use housekey_engine::Api;

/// What the link in the mail of an invitation carries beside its id.
///
/// The id alone proves nothing about the mailbox: whoever invites is told it, to copy the link. This is in the mail and nowhere
/// else, so whoever brings it has read the mail, and the address is theirs. It is worth something for as long as the invitation
/// is.
// spec: ORG-5
pub(crate) fn prove(api: &Api, id: &str, email: &str) -> String {
    api.mac(&text(id, email)).iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(super) fn is_proof(api: &Api, id: &str, email: &str, given: &str) -> bool {
    let bytes = |text: &str| {
        let pair = |at: usize| text.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok());
        (0..text.len()).step_by(2).map(pair).collect::<Option<Vec<u8>>>()
    };
    given.len() == 64 && bytes(given).is_some_and(|given| api.is_mac(&text(id, email), &given))
}

fn text(id: &str, email: &str) -> String {
    format!("invitation\0{id}\0{}", email.to_lowercase())
}
