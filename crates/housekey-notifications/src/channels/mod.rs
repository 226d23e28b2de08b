//! The channels the framework brings.

mod database;
mod log;
mod mail;

pub(crate) use database::DatabaseChannel;
pub(crate) use log::LogChannel;
pub(crate) use mail::MailChannel;
