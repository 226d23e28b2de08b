use housekey::prelude::*;

/// Somebody may join the library.
pub struct Invitation {
    pub by: String,
    pub url: String,
}

impl Notification for Invitation {
    fn to_mail(&self, _: &dyn Notifiable) -> Result<Message> {
        Ok(Message::new()
            .subject(t!(":name invites you to the library", name = self.by))
            .line(t("With an account you can borrow books. The link is good for three days."))
            .action(t("Join"), &self.url))
    }
}
