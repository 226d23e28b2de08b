use housekey::prelude::*;

/// `mail()?.send(welcome(&user.email, &url)).await?`, or `.queue(…)` to let it wait for a worker.
pub fn welcome(to: &str, url: &str) -> Message {
    Message::new()
        .to(to)
        .subject(t("Welcome"))
        .greeting(t("Hello,"))
        .line(t("There is something new for you."))
        .action(t("Have a look"), url)
}
