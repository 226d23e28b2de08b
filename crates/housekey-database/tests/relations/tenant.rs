//! A relation reaches no further than the query that it is loaded for.

use housekey_database::testing::TestDatabase;
use housekey_database::{
    BelongsToOrganization, FromRow, HasMany, LoadRelations, ManyToMany, Model, TenantId, db, on_every_engine,
    record, within_tenant,
};
use time::OffsetDateTime;

use crate::relations::shelf::inside;

on_every_engine!(
    related_rows_are_those_of_the_same_organization,
    a_row_of_another_organization_is_not_attached,
    a_row_of_no_organization_loses_no_links_of_another_one,
);

#[derive(Clone, Debug, FromRow, Model)]
#[row(crate = "housekey_database")]
#[model(table = "rooms", belongs_to_organization)]
struct Room {
    id: i64,
    organization_id: String,
    chairs: HasMany<Chair>,
    labels: ManyToMany<Label>,
}

#[derive(Clone, Debug, FromRow, Model)]
#[row(crate = "housekey_database")]
#[model(table = "chairs", belongs_to_organization)]
struct Chair {
    id: i64,
    organization_id: String,
    room_id: i64,
}

#[derive(Clone, Debug, FromRow, Model)]
#[row(crate = "housekey_database")]
#[model(table = "labels", belongs_to_organization, soft_deletes)]
struct Label {
    id: i64,
    organization_id: String,
    deleted_at: Option<OffsetDateTime>,
}

/// What all organisations see, each with labels of its own.
#[derive(Clone, Debug, FromRow, Model)]
#[row(crate = "housekey_database")]
#[model(table = "posters")]
struct Poster {
    id: i64,
    labels: ManyToMany<Label>,
}

async fn tables() {
    db().unwrap()
        .schema(|schema| {
            for name in ["rooms", "chairs", "labels"] {
                schema.create(name, |table| {
                    table.id();
                    table.string("organization_id", 20);
                    if name == "chairs" {
                        table.big_integer("room_id");
                    }
                    if name == "labels" {
                        table.timestamp("deleted_at").nullable();
                    }
                });
            }
            schema.create("posters", |table| {
                table.id();
            });
            for (name, here) in [("label_room", "room_id"), ("label_poster", "poster_id")] {
                schema.create(name, |table| {
                    table.big_integer(here);
                    table.big_integer("label_id");
                });
            }
        })
        .await
        .unwrap();
    for name in ["acme", "evil"] {
        let organization = TenantId::new(name);
        Room::of(&organization).unwrap().create(record! {}).await.unwrap();
        Label::of(&organization).unwrap().create(record! {}).await.unwrap();
        // Another organisation's chair, which says that it stands in our room.
        Chair::of(&organization).unwrap().create(record! { Chair::room_id => 1 }).await.unwrap();
    }
}

// spec: ORG-4
async fn related_rows_are_those_of_the_same_organization(test: TestDatabase) {
    inside(&test, async {
        tables().await;
        let acme = TenantId::new("acme");
        let room =
            Room::of(&acme).unwrap().query().with(Room::chairs).with_count(Room::chairs).first_or_404().await;
        let room = room.unwrap();
        assert_eq!((room.chairs.len(), room.chairs.count()), (1, 1));
        assert_eq!(room.chairs[0].organization_id, "acme");
        let foreign = Room::chairs.only(|chairs| chairs.where_eq(Chair::id, 2));
        assert!(!Room::of(&acme).unwrap().query().where_has(foreign).exists().await.unwrap());
        let foreign = |any: housekey_database::Query<Room>| {
            any.where_has(Room::chairs.only(|chairs| chairs.where_eq(Chair::id, 2)))
        };
        assert!(!Room::of(&acme).unwrap().query().where_any(foreign).exists().await.unwrap());
        within_tenant(&acme, async {
            let mut rooms = Room::all().await.unwrap();
            rooms.load(Room::chairs).await.unwrap();
            assert_eq!(rooms[0].chairs.len(), 1);
        })
        .await;
        let all = Room::across_organizations().unwrap().query().with(Room::chairs).order_by(Room::id);
        assert_eq!(all.get().await.unwrap()[0].chairs.len(), 2, "of all of them, as somebody said");
        let mut lost = [room];
        assert!(lost.load(Room::chairs).await.is_err(), "nobody has said of which");
    })
    .await;
}

// spec: ORG-4
async fn a_row_of_another_organization_is_not_attached(test: TestDatabase) {
    inside(&test, async {
        tables().await;
        let (acme, evil) =
            (Room::of(&TenantId::new("acme")).unwrap(), Room::of(&TenantId::new("evil")).unwrap());
        let ours = acme.query().first_or_404().await.unwrap();
        assert_eq!(acme.attach(&ours, Room::labels, [2]).await.unwrap_err().status(), 404);
        assert_eq!(acme.sync(&ours, Room::labels, [1, 2]).await.unwrap_err().status(), 404);
        assert_eq!(evil.sync(&ours, Room::labels, [2]).await.unwrap_err().status(), 404);
        acme.attach(&ours, Room::labels, [1]).await.unwrap();
        assert_eq!(evil.detach(&ours, Room::labels, [1]).await.unwrap_err().status(), 404);
        assert_eq!(db().unwrap().table("label_room").count().await.unwrap(), 1);
    })
    .await;
}

// spec: ORG-4
async fn a_row_of_no_organization_loses_no_links_of_another_one(test: TestDatabase) {
    inside(&test, async {
        tables().await;
        let (acme, evil) = (TenantId::new("acme"), TenantId::new("evil"));
        let another = Label::of(&acme).unwrap().create(record! {}).await.unwrap();
        let poster = Poster::create(record! {}).await.unwrap();
        within_tenant(&acme, poster.attach(Poster::labels, [1, another.id])).await.unwrap();
        within_tenant(&evil, poster.attach(Poster::labels, [2])).await.unwrap();
        let named = async || {
            let names = db().unwrap().table("label_poster").order_by("label_id");
            names.pluck::<i64>("label_id").await.unwrap()
        };

        within_tenant(&evil, poster.detach(Poster::labels, [1, another.id])).await.unwrap();
        assert_eq!(named().await, [1, 2, another.id]);
        within_tenant(&acme, poster.sync(Poster::labels, [1])).await.unwrap();
        assert_eq!(named().await, [1, 2], "our other one went, theirs did not");

        assert!(poster.sync(Poster::labels, [] as [i64; 0]).await.is_err(), "nobody has said of which");
        assert!(poster.detach(Poster::labels, [1]).await.is_err());
        assert_eq!(named().await, [1, 2]);

        // One that was deleted is still named, and by its own organisation alone.
        Label::of(&acme).unwrap().query().where_eq(Label::id, 1).delete().await.unwrap();
        within_tenant(&evil, poster.sync(Poster::labels, [2])).await.unwrap();
        assert_eq!(named().await, [1, 2]);
        within_tenant(&acme, poster.sync(Poster::labels, [] as [i64; 0])).await.unwrap();
        assert_eq!(named().await, [2]);
        within_tenant(&evil, poster.detach(Poster::labels, [2])).await.unwrap();
        assert!(named().await.is_empty());
    })
    .await;
}
