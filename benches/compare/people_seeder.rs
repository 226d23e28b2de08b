use std::fs::File;
use std::io::{BufWriter, Write};

use housekey::auth::Auth;
use housekey::database::{Database, Seeder};
use housekey::prelude::*;
use housekey::random;
use time::Duration;

/// Rows that are written together.
const TOGETHER: usize = 50_000;

/// So many users, some of them signed in. `cargo xtask bench` writes this file into an app and says how many, and where the
/// cookies go: a line per person, as their browser would send it.
pub struct PeopleSeeder;

impl Seeder for PeopleSeeder {
    fn in_transaction(&self) -> bool {
        false
    }

    async fn run(&self, db: Database) -> Result<()> {
        let (users, people) = (said::<usize>("BENCH_USERS")?, said::<usize>("BENCH_PEOPLE")?);
        let mut cookies = BufWriter::new(File::create(said::<String>("BENCH_COOKIES")?)?);
        for (number, id) in (1..).zip(add_users(&db, users, people).await?) {
            let line = sign_in(&id).await?;
            writeln!(cookies, "{line}")?;
            if number % 1000 == 0 {
                println!("{number} of {people} signed in");
            }
        }
        cookies.flush()?;
        // They are kept for later runs: no session may end or be renewed in one.
        let late = Clock::system().now() + Duration::days(36_500);
        db.table("session").update(record! { "expiresAt" => late }).await?;
        Ok(())
    }
}

/// Gives the ids of those who will sign in: they stand all over the table.
async fn add_users(db: &Database, users: usize, people: usize) -> Result<Vec<String>> {
    let apart = users / people;
    let mut chosen = Vec::with_capacity(people);
    for first in (0..users).step_by(TOGETHER) {
        let last = users.min(first + TOGETHER);
        let now = Clock::system().now();
        let mut rows = Vec::with_capacity(last - first);
        for number in first..last {
            let id = random::alphanumeric(32);
            if number % apart == 0 && chosen.len() < people {
                chosen.push(id.clone());
            }
            rows.push(record! {
                "id" => id,
                "name" => format!("Person {number}"),
                "email" => format!("person.{number}@example.com"),
                "emailVerified" => true,
                "createdAt" => now,
                "updatedAt" => now,
            });
        }
        db.table("user").insert_many(rows).await?;
        println!("{last} of {users} users");
    }
    Ok(chosen)
}

/// Signs somebody in as after a right password, and gives the cookies.
async fn sign_in(id: &str) -> Result<String> {
    let mut api = Auth::current()?.engine().api();
    let user = api.user(id).await.or_http_error()?.ok_or_else(Error::not_found)?;
    api.sign_in_user(user, Some(true)).await.or_http_error()?;
    let headers = api.into_headers();
    let set =
        headers.get_all("set-cookie").iter().filter_map(|header| header.to_str().ok()?.split(';').next());
    Ok(set.collect::<Vec<_>>().join("; "))
}

fn said<T: std::str::FromStr>(variable: &str) -> Result<T> {
    let value = std::env::var(variable).ok().and_then(|text| text.parse().ok());
    value.ok_or_else(|| Error::internal(format!("{variable} does not say what to make")))
}
