use bytes::Bytes;
use serde::{Deserialize, Serialize};

/// What processes tell each other.
#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub(crate) enum BusMessage {
    /// Something for everybody in a channel. `data` is JSON.
    Message { id: String, channel: String, data: String },
    /// Something about a person has changed: look again who they are and what they may hear.
    Recheck { user: String },
}

/// A message on its way to those who listen, written once for all of them.
pub(crate) struct Message {
    pub(crate) id: String,
    pub(crate) channel: String,
    /// For a websocket, as text.
    pub(crate) frame: Bytes,
    /// For a stream of events.
    pub(crate) event: Bytes,
}

impl Message {
    /// The id and the channel are plain letters, and `data` is JSON that serde wrote, in one line: nothing here needs escaping.
    pub(crate) fn new(id: String, channel: String, data: &str) -> Self {
        let content = format!(r#""channel":"{channel}","data":{data}}}"#);
        let frame = format!(r#"{{"type":"message","id":"{id}",{content}"#);
        let event = format!("id: {id}\ndata: {{{content}\n\n");
        Self { id, channel, frame: frame.into(), event: event.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn a_message_is_json_in_one_line_whatever_it_says() {
        let data = json!({ "title": "one\ntwo\r\n\u{2028}data: evil\n\nid: 7", "quote": "\"}" });
        let message = Message::new("abc".into(), "books.1".into(), &data.to_string());
        let frame: Value = serde_json::from_slice(&message.frame).unwrap();
        assert_eq!(frame, json!({ "type": "message", "id": "abc", "channel": "books.1", "data": data }));
        let event = String::from_utf8(message.event.to_vec()).unwrap();
        let lines: Vec<&str> = event.split('\n').collect();
        assert_eq!((lines.len(), lines[0], lines[2], lines[3]), (4, "id: abc", "", ""));
        let event: Value = serde_json::from_str(lines[1].strip_prefix("data: ").unwrap()).unwrap();
        assert_eq!(event, json!({ "channel": "books.1", "data": data }));
        assert!(!message.event.contains(&b'\r'));
    }
}
