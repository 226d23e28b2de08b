use housekey_core::Result;

use crate::engine::Statement;
use crate::{Database, Driver};

impl Database {
    /// Drops every table, whatever refers to what. Answers with their names.
    pub async fn wipe(&self) -> Result<Vec<String>> {
        let tables = self.tables().await?;
        let driver = self.driver();
        match driver {
            Driver::Sqlite => {
                self.transaction_with(true, async |tx| {
                    for table in &tables {
                        tx.execute_raw(&format!("drop table {}", driver.quote(table)), []).await?;
                    }
                    Ok(())
                })
                .await?;
            }
            Driver::Postgres => {
                self.transaction(async |tx| {
                    for table in &tables {
                        tx.execute_raw(&format!("drop table {} cascade", driver.quote(table)), []).await?;
                    }
                    Ok(())
                })
                .await?;
            }
            Driver::MySql => self.wipe_mysql(&tables).await?,
        }
        self.schema_changed();
        Ok(tables)
    }

    /// On a connection of its own, which ends with its settings.
    async fn wipe_mysql(&self, tables: &[String]) -> Result<()> {
        let mut connection = self.detached_connection().await?;
        let mut statements = vec!["set foreign_key_checks = 0".to_owned()];
        statements.extend(tables.iter().map(|table| format!("drop table {}", self.driver().quote(table))));
        for sql in statements {
            let outcome = connection.rows(Statement::from(sql.as_str())).await;
            self.log_and_explain(&sql, std::time::Instant::now(), outcome).await?;
        }
        Ok(())
    }
}
