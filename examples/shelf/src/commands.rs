//! Commands of the library's own console.

use housekey::console::clap;
use housekey::prelude::*;

use crate::models::User;

/// `shelf:librarian ada@example.com`: the first librarian cannot be made by another.
pub struct MakeLibrarian;

impl Command for MakeLibrarian {
    fn name(&self) -> &'static str {
        "shelf:librarian"
    }

    fn about(&self) -> &'static str {
        "Let somebody with an account look after the books"
    }

    fn args(&self, command: clap::Command) -> clap::Command {
        command.arg(clap::arg!(<email> "The address of the account"))
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        let email = context.argument("email").unwrap_or_default();
        let Some(mut person) = User::query()?.where_eq(User::email, email).first().await? else {
            return Err(Error::internal(format!("nobody has an account with {email}")));
        };
        person.update(record! { User::role => "librarian" }).await?;
        context.ui().success(format_args!("{} looks after the books now", person.name));
        Ok(())
    }
}
