//! A relation reaches no further than the query that it is loaded for.

use housekey_database::testing::TestDatabase;
use housekey_database::{
    BelongsToOrganization, FromRow, HasMany, LoadRelations, ManyToMany, Model, TenantId, db, on_every_engine,
    record, within_tenant,
};

use crate::shelf::inside;

on_every_engine!(
    related_rows_are_those_of_the_same_organization,
    a_row_of_another_organization_is_not_attached,
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
#[model(table = "labels", belongs_to_organization)]
struct Label {
    id: i64,
    organization_id: String,
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
                });
            }
            schema.create("label_room", |table| {
                table.big_integer("room_id");
                table.big_integer("label_id");
            });
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
