use housekey::database::Date;
use housekey::prelude::*;

/// A book has to come back.
pub struct LoanDue {
    pub title: String,
    pub due_on: Date,
    pub is_late: bool,
}

impl Notification for LoanDue {
    fn to_mail(&self, _: &dyn Notifiable) -> Result<Message> {
        let (title, day) = (&self.title, self.due_on);
        let subject = match self.is_late {
            true => t!("“:title” is overdue", title),
            false => t!("“:title” is due soon", title),
        };
        Ok(Message::new()
            .subject(subject)
            .line(t!("Please bring it back by :day, or give it to somebody who does.", day))
            .action(t("See your loans"), &url("loans")?))
    }
}

/// The whole address of a route, as a mail needs it.
fn url(name: &str) -> Result<String> {
    let base = service::<AppConfig>().map(|app| app.url.clone()).unwrap_or_default();
    Ok(format!("{base}{}", route(name)?))
}
