//! Rows whose keys are UUIDs, which every engine keeps and gives back in its own way.

use housekey_database::testing::TestDatabase;
use housekey_database::{
    BelongsTo, FromRow, HasMany, HasOne, LoadRelations, ManyToMany, Model, Uuid, db, on_every_engine, record,
};

use crate::relations::shelf::inside;

on_every_engine!(
    rows_are_found_by_the_uuids_of_others,
    the_latest_of_many_is_the_one_with_the_greatest_uuid,
    a_table_between_names_rows_by_uuids,
    rows_are_counted_and_chosen_by_uuids,
);

#[derive(Clone, Debug, FromRow, Model)]
#[row(crate = "housekey_database")]
#[model(table = "readers")]
struct Reader {
    id: Uuid,
    name: String,
    cards: HasMany<Card>,
    #[relation(latest)]
    last_card: HasOne<Card>,
    clubs: ManyToMany<Club>,
}

#[derive(Clone, Debug, FromRow, Model)]
#[row(crate = "housekey_database")]
#[model(table = "cards")]
struct Card {
    id: Uuid,
    reader_id: Uuid,
    bailed_by: Option<Uuid>,
    reader: BelongsTo<Reader>,
    #[relation(foreign_key = "bailed_by")]
    bail: BelongsTo<Option<Reader>>,
}

#[derive(Clone, Debug, FromRow, Model)]
#[row(crate = "housekey_database")]
#[model(table = "clubs")]
struct Club {
    id: Uuid,
    readers: ManyToMany<Reader>,
}

const MARY: Uuid = Uuid::from_u128(0xa1);
const JOAN: Uuid = Uuid::from_u128(0xa2);

fn card(number: u128) -> Uuid {
    Uuid::from_u128(number)
}

fn club(number: u128) -> Uuid {
    Uuid::from_u128(number << 64)
}

/// Mary has three cards, for one of which Joan stood bail; Joan has none. There are three clubs.
async fn readers() {
    db().unwrap()
        .schema(|schema| {
            schema.create("readers", |table| {
                table.uuid("id").primary();
                table.string("name", 50);
            });
            schema.create("cards", |table| {
                table.uuid("id").primary();
                table.uuid("reader_id");
                table.uuid("bailed_by").nullable();
            });
            schema.create("clubs", |table| {
                table.uuid("id").primary();
            });
            schema.create("club_reader", |table| {
                table.uuid("club_id");
                table.uuid("reader_id");
            });
        })
        .await
        .unwrap();
    for (id, name) in [(MARY, "Mary"), (JOAN, "Joan")] {
        Reader::create(record! { Reader::id => id, Reader::name => name }).await.unwrap();
    }
    // The greatest is neither the first that was made nor the last.
    for (number, bail) in [(0x9, None), (0xb000, Some(JOAN)), (0x9fff, None)] {
        let card = record! { Card::id => card(number), Card::reader_id => MARY, Card::bailed_by => bail };
        Card::create(card).await.unwrap();
    }
    for number in 1..=3 {
        Club::create(record! { Club::id => club(number) }).await.unwrap();
    }
}

// spec: DAT-1
async fn rows_are_found_by_the_uuids_of_others(test: TestDatabase) {
    inside(&test, async {
        readers().await;
        let cards = Card::query().unwrap().with(Card::reader).with(Card::bail).order_by(Card::id);
        let cards = cards.get().await.unwrap();
        assert!(cards.iter().all(|card| card.reader.name == "Mary"));
        let bail: Vec<_> = cards.iter().map(|card| card.bail.as_ref().map(|who| who.name.as_str())).collect();
        assert_eq!(bail, [None, None, Some("Joan")]);

        let mut all = Reader::query().unwrap().order_by(Reader::id).get().await.unwrap();
        all.load(Reader::cards).await.unwrap();
        let ids: Vec<_> = all[0].cards.iter().map(|card| card.id).collect();
        assert_eq!(ids, [card(0x9), card(0x9fff), card(0xb000)]);
        assert!(all[1].cards.is_empty());
    })
    .await;
}

// spec: DAT-1
async fn the_latest_of_many_is_the_one_with_the_greatest_uuid(test: TestDatabase) {
    inside(&test, async {
        readers().await;
        let all = Reader::query().unwrap().with(Reader::last_card).order_by(Reader::id).get().await.unwrap();
        let last: Vec<_> = all.iter().map(|reader| reader.last_card.as_ref().map(|card| card.id)).collect();
        assert_eq!(last, [Some(card(0xb000)), None]);
        let unbailed = Reader::last_card.only(|cards| cards.where_null(Card::bailed_by));
        let mary = Reader::query().unwrap().with(unbailed).order_by(Reader::id).first_or_404().await.unwrap();
        assert_eq!(mary.last_card.as_ref().unwrap().id, card(0x9fff));
    })
    .await;
}

// spec: DAT-1
async fn a_table_between_names_rows_by_uuids(test: TestDatabase) {
    inside(&test, async {
        readers().await;
        let mut mary = Reader::find_or_404(MARY).await.unwrap();
        let joan = Reader::find_or_404(JOAN).await.unwrap();
        mary.attach(Reader::clubs, [club(1), club(2)]).await.unwrap();
        mary.attach(Reader::clubs, [club(2)]).await.unwrap();
        joan.attach(Reader::clubs, [club(1)]).await.unwrap();
        assert_eq!(db().unwrap().table("club_reader").count().await.unwrap(), 3, "each is named once");
        let ids = |reader: &Reader| reader.clubs.iter().map(|club| club.id).collect::<Vec<_>>();
        mary.load(Reader::clubs).await.unwrap();
        assert_eq!(ids(&mary), [club(1), club(2)]);

        mary.sync(Reader::clubs, [club(2), club(3)]).await.unwrap();
        mary.load(Reader::clubs).await.unwrap();
        assert_eq!(ids(&mary), [club(2), club(3)]);
        mary.detach(Reader::clubs, [club(2)]).await.unwrap();
        mary.load(Reader::clubs).await.unwrap();
        assert_eq!(ids(&mary), [club(3)]);
        mary.sync(Reader::clubs, [] as [Uuid; 0]).await.unwrap();
        mary.load(Reader::clubs).await.unwrap();
        assert!(mary.clubs.is_empty());
        let clubs = Club::query().unwrap().with(Club::readers).order_by(Club::id).get().await.unwrap();
        assert_eq!(clubs[0].readers.iter().map(|reader| reader.id).collect::<Vec<_>>(), [JOAN]);
    })
    .await;
}

// spec: DAT-1
async fn rows_are_counted_and_chosen_by_uuids(test: TestDatabase) {
    inside(&test, async {
        readers().await;
        Reader::find_or_404(MARY).await.unwrap().attach(Reader::clubs, [club(1), club(2)]).await.unwrap();
        let all = Reader::query().unwrap().with_count(Reader::cards).with_count(Reader::clubs);
        let all = all.order_by(Reader::id).get().await.unwrap();
        let counts: Vec<_> = all.iter().map(|reader| (reader.cards.count(), reader.clubs.count())).collect();
        assert_eq!(counts, [(3, 2), (0, 0)]);
        let second = Reader::clubs.only(|clubs| clubs.where_eq(Club::id, club(2)));
        let found: Vec<Uuid> = Reader::query().unwrap().where_has(second).pluck(Reader::id).await.unwrap();
        assert_eq!(found, [MARY]);
        let without = Reader::query().unwrap().where_has_none(Reader::cards);
        assert_eq!(without.pluck::<Uuid>(Reader::id).await.unwrap(), [JOAN]);
    })
    .await;
}
