use super::Api;

impl Api {
    /// A path of the app, or an address, made absolute, with parameters that replace those of the same names. For a redirect to what
    /// was [checked](Self::check_callback).
    ///
    /// ```
    /// # use housekey_engine::Api;
    /// fn refused(api: &Api, callback: &str) -> String {
    ///     api.absolute_url(callback, &[("error", "INVALID_TOKEN")]) // http://localhost:3000/in?error=INVALID_TOKEN
    /// }
    /// ```
    pub fn absolute_url(&self, target: &str, parameters: &[(&str, &str)]) -> String {
        let base = &self.core.base;
        parameters
            .iter()
            .fold(base.absolute(target), |target, (name, value)| base.absolute_with(&target, name, value))
    }
}
