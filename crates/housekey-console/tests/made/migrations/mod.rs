pub mod create_cache_table;
pub mod create_events_table;
pub mod create_notifications_table;
pub mod create_queue_tables;
pub mod create_schedule_table;
pub mod create_sessions_table;
pub mod create_stories;
