//! What people type, and what an address may hold.

use housekey::testing::TestApp;

use crate::support::{ask, enter, said, send, somebody, stored, sure};

// spec: KEY-1
#[housekey::test]
async fn a_code_is_taken_however_people_write_it(app: TestApp) {
    let visitor = sure(&app).await;
    let device = ask(&app).await;
    let (left, right) = device.user_code.split_at(4);
    let small = device.user_code.to_lowercase();
    for typed in [format!("{left}-{right}"), format!(" {left} {right} "), small] {
        let entered = enter(&visitor, &typed).await;
        entered.assert_ok().assert_json_path("redirect", "/device/confirm");
    }
    send(&visitor, "/approve", &format!("{left}-{right}").to_lowercase()).await.assert_ok();
    assert_eq!(stored(&app).await.0, "approved");
}

// spec: KEY-1
#[housekey::test]
async fn a_wrong_code_is_told_from_one_that_is_spent(app: TestApp) {
    let visitor = sure(&app).await;
    let device = ask(&app).await;
    assert!(said(&enter(&visitor, "AAAA-AAAA").await).contains("no such code"));
    assert!(said(&send(&visitor, "/approve", "AAAA-AAAA").await).contains("no such code"));
    enter(&visitor, &device.user_code).await.assert_ok();
    send(&visitor, "/approve", &device.user_code).await.assert_ok();
    assert!(said(&enter(&visitor, &device.user_code).await).contains("used already"));
}

// spec: VAL-1
#[housekey::test]
async fn what_cannot_be_a_code_is_refused_at_its_field(app: TestApp) {
    let visitor = sure(&app).await;
    for typed in ["", "   ", "\0", "\u{1F511}", "<script>", &"A".repeat(65)] {
        assert!(!said(&enter(&visitor, typed).await).is_empty(), "{typed:?}");
    }
}

// spec: SEC-4
#[housekey::test]
async fn nobody_tries_codes_without_end(app: TestApp) {
    let visitor = sure(&app).await;
    let mut refused = 0;
    for number in 0..12 {
        let answer = enter(&visitor, &format!("AAAA-AA{number:02}")).await;
        refused += usize::from(answer.status() == 429);
    }
    assert!(refused >= 6, "{refused} of 12");
}

// spec: KEY-1
#[housekey::test]
async fn opening_an_address_claims_nothing_and_decides_nothing(app: TestApp) {
    let visitor = sure(&app).await;
    let device = ask(&app).await;
    for path in
        ["/device", "/device/confirm", "/device/done", "/device/approve", "/device/deny", "/api/device"]
    {
        let complete = format!("{path}?user_code={}", device.user_code);
        visitor.get(&complete).await;
        visitor.head(&complete).await;
    }
    assert_eq!(stored(&app).await, ("pending".into(), None));
    // It still belongs to whoever enters it.
    let other = app.signed_in(&somebody(&app).await).await;
    enter(&other, &device.user_code).await.assert_ok();
}
