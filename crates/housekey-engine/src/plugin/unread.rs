use super::Plugins;
use crate::options::EngineOptions;

impl Plugins {
    /// Options that were set and that neither the engine nor one of these plugins [reads](crate::Plugin::reads), as they are
    /// written in Rust: `other.organization`. Whoever set them expects something that will not
    /// happen.
    ///
    /// ```
    /// use housekey_engine::options::EngineOptions;
    /// use housekey_engine::{Plugin, Plugins};
    /// use serde_json::json;
    ///
    /// let mut options = EngineOptions::default();
    /// options.other.insert("organization".into(), json!({ "teams": true }));
    /// assert_eq!(Plugins::default().unread(&options), ["other.organization"]);
    ///
    /// let plugins = Plugins::from([Plugin::new("organization").reads("other.organization")]);
    /// assert!(plugins.unread(&options).is_empty());
    /// ```
    // spec: ENG-5
    pub fn unread(&self, options: &EngineOptions) -> Vec<String> {
        let others = options.other.keys().map(|name| format!("other.{name}"));
        others.filter(|option| !self.read(option)).collect()
    }

    fn read(&self, option: &str) -> bool {
        let covers = |read: &String| {
            option.strip_prefix(read.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        self.iter().flat_map(|plugin| plugin.options_read()).any(covers)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::Plugin;

    #[test]
    fn a_plugin_reads_one_option_or_a_whole_group() {
        let mut options = EngineOptions::default();
        for name in ["apiKey", "organization", "stripe"] {
            options.other.insert(name.into(), json!({}));
        }
        assert_eq!(
            Plugins::default().unread(&options),
            ["other.apiKey", "other.organization", "other.stripe"]
        );
        let left = |read: &str| Plugins::from([Plugin::new("example").reads(read)]).unread(&options);
        assert!(left("other").is_empty());
        assert_eq!(left("other.organ").len(), 3, "half a name is none");
        assert_eq!(left("other.organization").len(), 2);
    }
}
