use housekey::database::Date;
use housekey::prelude::*;

/// Somebody borrowed a book.
pub struct Receipt {
    pub title: String,
    pub due_on: Date,
}

impl Notification for Receipt {
    fn to_mail(&self, _: &dyn Notifiable) -> Result<Message> {
        Ok(Message::new()
            .subject(t!("Enjoy “:title”", title = self.title))
            .line(t!("It is yours until :day. We write to you the day before.", day = self.due_on)))
    }
}
