//! The new app's `.env`: its example, with secrets nobody else has.

use data_encoding::BASE64;

use crate::failure::Failure;

/// The example with a fresh value for each secret. The values differ from one another by construction.
pub(crate) fn from_example(example: &str, secrets: &[&str]) -> Result<String, Failure> {
    let mut lines: Vec<String> = example.lines().map(str::to_owned).collect();
    for name in secrets {
        let empty = format!("{name}=");
        let Some(line) = lines.iter_mut().find(|line| line.trim_end() == empty) else {
            return Err(Failure::failed(format!("this kit is broken: `.env.example` has no line `{empty}`")));
        };
        line.push_str(&secret()?);
    }
    Ok(lines.join("\n") + "\n")
}

/// 32 bytes from the operating system, spelled as the framework's encryption reads them.
fn secret() -> Result<String, Failure> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| Failure::failed(format!("no random numbers: {error}")))?;
    Ok(format!("base64:{}", BASE64.encode(&bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_secret_gets_a_value_of_its_own_and_the_rest_stays() {
        let env =
            from_example("# why\nAPP_KEY=\nAUTH_SECRET=\nPORT=3000\n", &["APP_KEY", "AUTH_SECRET"]).unwrap();

        let value = |name: &str| env.lines().find_map(|line| line.strip_prefix(name)).unwrap().to_owned();
        let (key, secret) = (value("APP_KEY=base64:"), value("AUTH_SECRET=base64:"));
        assert_ne!(key, secret);
        assert_eq!(BASE64.decode(key.as_bytes()).unwrap().len(), 32);
        assert!(env.starts_with("# why\n") && env.ends_with("PORT=3000\n"));
    }

    #[test]
    fn a_kit_whose_example_lacks_a_secret_is_reported() {
        assert!(from_example("APP_NAME=x\n", &["APP_KEY"]).is_err());
    }
}
