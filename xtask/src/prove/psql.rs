use std::process::Command;

use crate::process;
use crate::services::postgres;

/// PostgreSQL as its own client sees it: what the framework says about itself proves nothing.
pub(super) struct Psql<'a> {
    pub(super) url: &'a str,
}

impl Psql<'_> {
    /// The rows of a query, each with its columns.
    pub(super) fn rows(&self, sql: &str) -> Result<Vec<Vec<String>>, String> {
        // Beside the server, or where the client's package has it.
        let beside = postgres::programs().map(|folder| folder.join("psql")).filter(|file| file.is_file());
        let program = beside.or_else(|| process::which("psql"));
        let mut command =
            Command::new(program.ok_or("psql is not to be found: install PostgreSQL's client")?);
        command.args([self.url, "--no-psqlrc", "--tuples-only", "--no-align", "--field-separator=\t"]);
        let output = process::read(command.args(["--set=ON_ERROR_STOP=1", "--command", sql]))?;
        let columns = |line: &str| line.split('\t').map(str::to_owned).collect();
        Ok(output.lines().filter(|line| !line.is_empty()).map(columns).collect())
    }

    /// The one number that a query gives.
    pub(super) fn count(&self, sql: &str) -> Result<u64, String> {
        let rows = self.rows(sql)?;
        let number = rows.first().and_then(|row| row.first()).and_then(|cell| cell.parse().ok());
        number.ok_or_else(|| format!("`{sql}` gives no number, but {rows:?}"))
    }
}
