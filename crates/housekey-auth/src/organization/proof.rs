use data_encoding::HEXLOWER;
use housekey_engine::Api;

/// What the link in the mail of an invitation carries beside its id.
///
/// The id alone proves nothing about the mailbox: whoever invites is told it, to copy the link. This is in the mail and nowhere
/// else, so whoever brings it has read the mail, and the address is theirs. It is worth something for as long as the invitation
/// is.
// spec: ORG-5
pub(crate) fn prove(api: &Api, id: &str, email: &str) -> String {
    HEXLOWER.encode(&api.mac(&text(id, email)))
}

pub(super) fn is_proof(api: &Api, id: &str, email: &str, given: &str) -> bool {
    HEXLOWER.decode(given.as_bytes()).is_ok_and(|given| api.is_mac(&text(id, email), &given))
}

fn text(id: &str, email: &str) -> String {
    format!("invitation\0{id}\0{}", email.to_lowercase())
}
