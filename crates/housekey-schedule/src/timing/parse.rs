//! Times and cron expressions as people write them, and what to say when they are none.

use croner::CronPattern;
use croner::parser::{CronParser, Seconds, Year};

/// `07:00` as hour and minute.
pub(super) fn time_of_day(text: &str) -> Result<(i8, i8), String> {
    let wrong = || format!("`{text}` is no time of the day; write it as `07:00`, from 00:00 to 23:59");
    let (hour, minute) = text.split_once(':').ok_or_else(wrong)?;
    let number = |text: &str, end: i8| {
        let is_number = (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| text.parse::<i8>().ok()).flatten().filter(|number| *number < end)
    };
    let minute = number(minute, 60).filter(|_| minute.len() == 2);
    number(hour, 24).zip(minute).ok_or_else(wrong)
}

/// Five fields (minute, hour, day, month, weekday), or a word such as `@daily`.
pub(super) fn cron(expression: &str) -> Result<CronPattern, String> {
    let parser = CronParser::builder().seconds(Seconds::Disallowed).year(Year::Disallowed).build();
    let cron = parser.parse(expression.trim()).map_err(|error| {
        format!(
            "`{expression}` is no cron expression: {error}; it has five fields: minute, hour, day of the month, month, \
             weekday"
        )
    })?;
    Ok(cron.pattern)
}

/// Whether it says `*` for the minute or the hour.
pub(super) fn is_interval(expression: &str) -> bool {
    let expression = expression.trim();
    expression.eq_ignore_ascii_case("@hourly")
        || (!expression.starts_with('@')
            && expression.split_whitespace().take(2).any(|field| field.contains('*')))
}
