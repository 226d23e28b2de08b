use serde_json::Value;

use super::Broken;
use crate::rules::Rule;
use crate::uploads::{ReceivedFiles, Upload, is_of_kind};

/// Rules about files: what they are by their content, and how large.
pub(super) fn check(rule: &Rule, value: &Value, files: &ReceivedFiles) -> Option<Broken> {
    match value {
        // A rule of a list is about each of its files; about their number others are asked.
        Value::Array(items) if rule.is_about_files() => {
            items.iter().find_map(|item| check(rule, item, files))
        }
        Value::Array(_) => None,
        single => match single.as_str().and_then(|handle| files.get(handle)) {
            // Of one that is too large only the beginning is there: there is nothing else to say about it.
            Some(upload) if upload.is_cut() && !is_about_size(rule) => None,
            Some(upload) => check_upload(rule, upload),
            None => rule.is_about_files().then(|| ("The :field must be a file.", Vec::new())),
        },
    }
}

fn is_about_size(rule: &Rule) -> bool {
    matches!(rule, Rule::Min(_) | Rule::Max(_) | Rule::Between(..) | Rule::Size(_))
}

fn check_upload(rule: &Rule, upload: &Upload) -> Option<Broken> {
    let size = upload.size() as f64;
    let in_pixels =
        |width: &usize, height: &usize| vec![("width", width.to_string()), ("height", height.to_string())];
    let (is_met, sentence, values) = match rule {
        Rule::Image => (upload.is_image(), "The :field must be a picture.", Vec::new()),
        Rule::Mimes(types) => (
            types.iter().any(|wanted| is_of_kind(wanted, upload)),
            "The :field must be a file of the type: :values.",
            vec![("values", types.join(", "))],
        ),
        Rule::MinDimensions(width, height) => (
            upload
                .dimensions()
                .is_some_and(|(own_width, own_height)| own_width >= *width && own_height >= *height),
            "The :field must be at least :width by :height pixels.",
            in_pixels(width, height),
        ),
        Rule::MaxDimensions(width, height) => (
            upload
                .dimensions()
                .is_some_and(|(own_width, own_height)| own_width <= *width && own_height <= *height),
            "The :field must be at most :width by :height pixels.",
            in_pixels(width, height),
        ),
        Rule::Min(min) => (size >= *min, "The :field must have at least :min.", vec![("min", bytes(*min))]),
        Rule::Max(max) => (size <= *max, "The :field must have at most :max.", vec![("max", bytes(*max))]),
        Rule::Between(min, max) => (
            (*min..=*max).contains(&size),
            "The :field must have between :min and :max.",
            vec![("min", bytes(*min)), ("max", bytes(*max))],
        ),
        Rule::Size(exact) => (
            (size - exact).abs() < f64::EPSILON,
            "The :field must have exactly :size.",
            vec![("size", bytes(*exact))],
        ),
        _ => return None,
    };
    (!is_met).then_some((sentence, values))
}

/// An amount as people read it: `5 MB`, `1.5 kB`.
fn bytes(amount: f64) -> String {
    const UNITS: [&str; 4] = ["bytes", "kB", "MB", "GB"];
    let (mut amount, mut unit) = (amount, 0);
    while amount >= 1024.0 && unit + 1 < UNITS.len() {
        amount /= 1024.0;
        unit += 1;
    }
    let rounded = (amount * 10.0).round() / 10.0;
    format!("{rounded} {}", UNITS[unit])
}
