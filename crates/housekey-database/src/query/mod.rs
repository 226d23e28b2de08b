//! The query layer: conditions, reading, writing.

mod aggregate;
mod chunks;
mod conditions;
mod cursor;
mod like;
mod load;
mod page;
mod read;
mod soft_deletes;
mod sub_select;
mod tenant;
mod write;

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use aggregate::Selected;
use conditions::{Comparison, Condition};
use housekey_core::{Error, Result};
use sea_query::{Alias, Asterisk, DynIden, Expr, ExprTrait, IntoIden, JoinType, TableRef};
use soft_deletes::SoftDeletes;
use tenant::Bounds;

pub use chunks::Chunks;
pub use cursor::CursorPage;
pub(crate) use load::Load;
pub use page::Page;

use crate::{Database, FromRow, Row};

impl Database {
    pub fn table(&self, table: impl Into<String>) -> Query {
        Query::new(self.clone(), table.into())
    }
}

/// A query on one table. [`Database::table`] starts it; it runs when one of its last words is called (`get`,
/// `first`, `count`, `insert`, `update`, `delete`, …).
///
/// Names are quoted and values are bound, always. A column may carry its table (`posts.title`).
///
/// A query of a [model](crate::Model::query) knows what its rows are; for one of a table, `get` and its like are told.
///
/// ```
/// # use housekey_core::Result;
/// # use housekey_database::{Database, FromRow};
/// # #[derive(FromRow)] #[row(crate = "housekey_database")] struct Post { id: i64 }
/// # async fn example(db: Database) -> Result<()> {
/// let recent: Vec<Post> = db.table("posts")
///     .select(["posts.id", "posts.title", "users.name as author"])
///     .join("users", "users.id", "posts.authorId")
///     .where_eq("published", true)
///     .where_("views", ">=", 100)
///     .order_by_desc("posts.createdAt")
///     .limit(10)
///     .get()
///     .await?;
/// # Ok(()) }
/// ```
#[must_use = "a query does nothing until `get`, `first`, `insert` or another last word is called"]
pub struct Query<T = Row> {
    pub(crate) db: Database,
    pub(crate) table: String,
    /// The columns of the model whose query this is.
    model: Option<&'static [&'static str]>,
    columns: Vec<Cow<'static, str>>,
    expressions: Vec<(Selected, String)>,
    joins: Vec<(JoinType, String, String, String)>,
    conditions: Vec<Condition>,
    /// The organisation that it never leaves.
    bounds: Option<Bounds>,
    /// It was said to mean the rows of all organisations.
    pub(crate) across: bool,
    deleted: Option<SoftDeletes>,
    /// What is to be loaded for the rows.
    pub(crate) load: Option<Arc<dyn Load<T>>>,
    groups: Vec<String>,
    /// What groups must be, by a name of the result or a column.
    havings: Vec<(String, Comparison)>,
    /// The column, and whether the largest comes first.
    orders: Vec<(String, bool)>,
    limit: Option<u64>,
    offset: Option<u64>,
    distinct: bool,
    lock: Option<Lock>,
    /// What was wrong with an earlier call; said when the query runs.
    problem: Option<String>,
    /// What its rows are read as.
    rows: PhantomData<fn() -> T>,
}

#[derive(Clone, Copy)]
enum Lock {
    Wait,
    SkipLocked,
}

impl<T> Query<T> {
    pub(crate) fn new(db: Database, table: String) -> Self {
        Self {
            db,
            table,
            model: None,
            columns: Vec::new(),
            expressions: Vec::new(),
            joins: Vec::new(),
            conditions: Vec::new(),
            bounds: None,
            across: false,
            deleted: None,
            load: None,
            groups: Vec::new(),
            havings: Vec::new(),
            orders: Vec::new(),
            limit: None,
            offset: None,
            distinct: false,
            lock: None,
            problem: None,
            rows: PhantomData,
        }
    }

    /// Reads the rows as another type: what a query of a model asks for may be more or less than the model.
    ///
    /// ```
    /// # use housekey_database::{FromRow, Model};
    /// # #[derive(FromRow, Model)] #[row(crate = "housekey_database")] #[model(table = "books")] struct Book { id: i64 }
    /// #[derive(FromRow)]
    /// # #[row(crate = "housekey_database")]
    /// struct Line {
    ///     title: String,
    ///     author: String,
    /// }
    ///
    /// # async fn example() -> housekey_core::Result<()> {
    /// let lines = Book::query()?
    ///     .join("authors", "authors.id", "books.author_id")
    ///     .select(["title", "authors.name as author"])
    ///     .read_as::<Line>()
    ///     .get()
    ///     .await?;
    /// # Ok(()) }
    /// ```
    pub fn read_as<U: FromRow>(self) -> Query<U> {
        self.retyped()
    }

    fn retyped<U>(&self) -> Query<U> {
        Query {
            db: self.db.clone(),
            table: self.table.clone(),
            model: self.model,
            columns: self.columns.clone(),
            expressions: self.expressions.clone(),
            joins: self.joins.clone(),
            conditions: self.conditions.clone(),
            bounds: self.bounds.clone(),
            across: self.across,
            deleted: self.deleted,
            load: None,
            groups: self.groups.clone(),
            havings: self.havings.clone(),
            orders: self.orders.clone(),
            limit: self.limit,
            offset: self.offset,
            distinct: self.distinct,
            lock: self.lock,
            problem: self.problem.clone(),
            rows: PhantomData,
        }
    }

    /// The query of a model with these columns: joined with other tables, it still means its own.
    pub(crate) fn of_model(self, columns: &'static [&'static str]) -> Self {
        Self { model: Some(columns), ..self }
    }

    /// Conditions with a name, that several queries have: `Book::query()?.scope(Book::in_print)`.
    ///
    /// ```
    /// # use housekey_database::{FromRow, Model, Query};
    /// # #[derive(FromRow, Model)] #[row(crate = "housekey_database")] #[model(table = "books")]
    /// # struct Book { id: i64, in_print: bool }
    /// impl Book {
    ///     fn to_be_had(books: Query<Book>) -> Query<Book> {
    ///         books.where_eq(Book::in_print, true)
    ///     }
    /// }
    ///
    /// # async fn example() -> housekey_core::Result<()> {
    /// let books = Book::query()?.scope(Book::to_be_had).get().await?;
    /// # Ok(()) }
    /// ```
    pub fn scope(self, scope: impl FnOnce(Self) -> Self) -> Self {
        scope(self)
    }

    /// Reads these columns only. `posts.*` and `name as author` work.
    pub fn select<C: Into<String>>(mut self, columns: impl IntoIterator<Item = C>) -> Self {
        self.columns.extend(columns.into_iter().map(|column| Cow::Owned(column.into())));
        self
    }

    /// Reads an expression made with [`sql`](crate::sql) under a name.
    pub fn select_expr(mut self, expression: impl Into<Expr>, name: impl Into<String>) -> Self {
        self.expressions.push((Selected::Expression(expression.into()), name.into()));
        self
    }

    /// Leaves out rows that are equal in every column read.
    pub fn distinct(mut self) -> Self {
        self.distinct = true;
        self
    }

    /// Joins rows of another table where the two columns are equal.
    pub fn join(self, table: impl Into<String>, left: impl Into<String>, right: impl Into<String>) -> Self {
        self.joined(JoinType::InnerJoin, table.into(), left.into(), right.into())
    }

    /// Like [`Query::join`], keeping rows that have no partner.
    pub fn left_join(
        self,
        table: impl Into<String>,
        left: impl Into<String>,
        right: impl Into<String>,
    ) -> Self {
        self.joined(JoinType::LeftJoin, table.into(), left.into(), right.into())
    }

    fn joined(mut self, kind: JoinType, table: String, left: String, right: String) -> Self {
        self.joins.push((kind, table, left, right));
        self
    }

    /// Puts rows with the same values in these columns together.
    pub fn group_by<C: Into<String>>(mut self, columns: impl IntoIterator<Item = C>) -> Self {
        self.groups.extend(columns.into_iter().map(Into::into));
        self
    }

    /// Sorts by a column, smallest first.
    pub fn order_by(mut self, column: impl Into<String>) -> Self {
        self.orders.push((column.into(), false));
        self
    }

    /// Sorts by a column, largest first.
    pub fn order_by_desc(mut self, column: impl Into<String>) -> Self {
        self.orders.push((column.into(), true));
        self
    }

    pub fn limit(mut self, rows: u64) -> Self {
        self.limit = Some(rows);
        self
    }

    pub fn offset(mut self, rows: u64) -> Self {
        self.offset = Some(rows);
        self
    }

    /// Keeps the rows from being changed by others until the transaction ends. SQLite locks the whole database for a
    /// transaction anyway.
    pub fn lock_for_update(mut self) -> Self {
        self.lock = Some(Lock::Wait);
        self
    }

    /// Like [`Query::lock_for_update`], leaving out rows that somebody else has locked.
    pub fn lock_skipping_locked(mut self) -> Self {
        self.lock = Some(Lock::SkipLocked);
        self
    }

    /// The SQL that [`Query::get`] would run, without values: for looking, and for tests.
    pub fn to_sql(&self) -> Result<String> {
        Ok(self.statement()?.sql.to_string())
    }

    fn equal(&self, left: &str, right: &str) -> Expr {
        self.column(left).eq(self.column(right))
    }

    /// A column by its name. In a model's joined query, a bare name of one of its columns means that one, whatever the
    /// other tables have.
    fn column(&self, name: &str) -> Expr {
        match self.joined_model() {
            Some(own) if own.contains(&name) => Expr::col((iden(self.own_name()), iden(name))),
            _ => column(name),
        }
    }

    /// The same where rows are sorted and grouped: there, a name that the query itself gave comes first.
    fn result_column(&self, name: &str) -> Expr {
        if self.gives(name) { column(name) } else { self.column(name) }
    }

    /// Whether the query itself gave something in its result this name.
    fn gives(&self, name: &str) -> bool {
        let mut given = self.columns.iter().filter_map(|column| split_alias(column).1);
        given.any(|given| given == name) || self.expressions.iter().any(|(_, given)| given == name)
    }

    /// The model's columns, in a query where a bare name could be another table's.
    fn joined_model(&self) -> Option<&'static [&'static str]> {
        self.model.filter(|_| !self.joins.is_empty())
    }

    /// What columns call the table: its alias, or its name without the schema.
    fn own_name(&self) -> &str {
        match split_alias(&self.table) {
            (_, Some(alias)) => alias,
            (name, None) => name.rsplit_once('.').map_or(name, |(_, name)| name),
        }
    }

    /// A column of this table, with the table's name.
    pub(crate) fn own_column(&self, name: &str) -> String {
        format!("{}.{name}", self.own_name())
    }

    pub(crate) fn own_column_expr(&self, name: &str) -> Expr {
        Expr::col((iden(self.own_name()), iden(name)))
    }

    /// The same query through another handle.
    pub(crate) fn through(self, db: &Database) -> Self {
        Self { db: db.clone(), ..self }
    }

    /// Sorted by this column, unless somebody said by what.
    pub(crate) fn sorted_by_default(self, key: &str) -> Self {
        if !self.orders.is_empty() {
            return self;
        }
        let key = self.own_column(key);
        self.order_by(key)
    }

    /// A query for the rows of a relation: a limit would count them for all rows together.
    pub(crate) fn without_limit(self, relation: &str) -> Self {
        if self.limit.is_none() && self.offset.is_none() {
            return self;
        }
        self.failing(format!(
            "the rows of {relation} are read for many rows at once: no limit can be for each of them"
        ))
    }

    /// How many rows there are for each value of a column.
    pub(crate) fn counted_by(mut self, column: &str) -> Self {
        self.orders.clear();
        self.select_count("count").group_by([column])
    }

    fn check(&self) -> Result<()> {
        match &self.problem {
            Some(problem) => Err(Error::internal(format!("a query on `{}`: {problem}", self.table))),
            None => Ok(()),
        }
    }
}

impl<T> Clone for Query<T> {
    fn clone(&self) -> Self {
        Self { load: self.load.clone(), ..self.retyped() }
    }
}

impl<T> fmt::Debug for Query<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to_sql() {
            Ok(sql) => f.write_str(&sql),
            Err(error) => write!(f, "{error}"),
        }
    }
}

fn iden(name: &str) -> DynIden {
    Alias::new(name).into_iden()
}

/// `title`, `posts.title`, `*` or `posts.*`.
fn column(name: &str) -> Expr {
    match name.split_once('.') {
        Some((table, "*")) => Expr::col((iden(table), Asterisk)),
        Some((table, name)) => Expr::col((iden(table), iden(name))),
        None if name == "*" => Expr::col(Asterisk),
        None => Expr::col(iden(name)),
    }
}

/// `name as alias`, in any case.
fn split_alias(text: &str) -> (&str, Option<&str>) {
    let words: Vec<&str> = text.split_whitespace().collect();
    match words[..] {
        [name, word, alias] if word.eq_ignore_ascii_case("as") => (name, Some(alias)),
        _ => (text, None),
    }
}

/// `posts`, `posts as p`.
fn table(text: &str) -> TableRef {
    let (name, alias) = split_alias(text);
    let table: TableRef = match name.split_once('.') {
        Some((schema, name)) => (iden(schema), iden(name)).into(),
        None => iden(name).into(),
    };
    match alias {
        Some(alias) => table.alias(iden(alias)),
        None => table,
    }
}
