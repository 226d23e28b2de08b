use housekey_core::{env, env_list};

pub(crate) fn shop() -> Vec<u16> {
    vec![
        env("SHOP_PORT", 3000_u16),
        env::<Option<u16>>("SHOP_DOOR", None).unwrap_or_default(),
        env_list::<u16>("SHOP_FLOORS").into_iter().sum(),
        crate::beside(),
    ]
}
