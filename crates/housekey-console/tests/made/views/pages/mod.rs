pub mod about;
pub mod team;
