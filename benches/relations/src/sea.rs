//! SeaORM 2: its loader for the tags. It has no relation that is the last of many, so that one is a query of its query
//! builder, the same as in the other two.

use std::collections::HashMap;

use sea_orm::sea_query::{Expr, ExprTrait as _, Query};
use sea_orm::{
    ColumnTrait as _, DatabaseConnection, EntityTrait as _, LoaderTrait as _, QueryFilter as _,
    QueryOrder as _, QuerySelect as _,
};

use crate::library::PAGE;
use crate::page::{ReadPage, Seen};

mod book {
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "books")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub title: String,
        pub author: String,
        pub shelf: Option<String>,
        pub pages: i64,
        #[sea_orm(has_many, via = "book_tag")]
        pub tags: HasMany<super::tag::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

mod tag {
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "tags")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub name: String,
        #[sea_orm(has_many, via = "book_tag")]
        pub books: HasMany<super::book::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

mod book_tag {
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "book_tag")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub book_id: i64,
        #[sea_orm(primary_key, auto_increment = false)]
        pub tag_id: i64,
        #[sea_orm(belongs_to, from = "book_id", to = "id")]
        pub book: BelongsTo<super::book::Entity>,
        #[sea_orm(belongs_to, from = "tag_id", to = "id")]
        pub tag: BelongsTo<super::tag::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

mod loan {
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "loans")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub book_id: i64,
        pub reader: String,
        pub returned: bool,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

type Page = Vec<(book::Model, Vec<tag::Model>, Option<loan::Model>)>;

async fn books(db: &DatabaseConnection, after: i64) -> Page {
    let books = book::Entity::find()
        .filter(book::Column::Id.gt(after))
        .order_by_asc(book::Column::Id)
        .limit(PAGE as u64)
        .all(db)
        .await
        .unwrap();
    let tags = books.load_many(tag::Entity::find().order_by_asc(tag::Column::Id), db).await.unwrap();
    let latest = Query::select()
        .expr(Expr::col(loan::Column::Id).max())
        .from(loan::Entity)
        .and_where(loan::Column::BookId.is_in(books.iter().map(|book| book.id)))
        .group_by_col(loan::Column::BookId)
        .take();
    let loans = loan::Entity::find().filter(loan::Column::Id.in_subquery(latest)).all(db).await.unwrap();
    let mut loans: HashMap<i64, loan::Model> = loans.into_iter().map(|loan| (loan.book_id, loan)).collect();
    let with_loan = |(book, tags): (book::Model, _)| {
        let loan = loans.remove(&book.id);
        (book, tags, loan)
    };
    books.into_iter().zip(tags).map(with_loan).collect()
}

impl ReadPage for DatabaseConnection {
    async fn just_read(&self, after: i64) {
        std::hint::black_box(books(self, after).await);
    }

    async fn read(&self, after: i64) -> Vec<Seen> {
        let seen = |(book, tags, loan): (book::Model, Vec<tag::Model>, Option<loan::Model>)| Seen {
            id: book.id,
            title: book.title,
            author: book.author,
            shelf: book.shelf,
            pages: book.pages,
            tags: tags.into_iter().map(|tag| (tag.id, tag.name)).collect(),
            last_loan: loan.map(|loan| (loan.id, loan.reader, loan.returned)),
        };
        books(self, after).await.into_iter().map(seen).collect()
    }
}
