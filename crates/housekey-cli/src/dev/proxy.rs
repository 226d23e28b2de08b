//! The port that never refuses: takes every connection and passes each request to whoever can answer it.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use super::backend::Lease;
use super::head::{Head, Refusal};
use super::pages::{self, Response};
use super::state::{DevState, ProxyTarget};

/// Asked by our own pages; not a path an app would use.
const STATUS_PATH: &str = "/__housekey/dev/status";
/// How long a client may take to send the head of a request.
const HEAD_TIME: Duration = Duration::from_secs(30);
/// How long we go on reading from a client that has its answer, so that closing does not cut the answer off.
const LINGER: Duration = Duration::from_secs(1);

/// Serves the listener on threads of its own until the process ends.
pub(crate) fn start(listener: TcpListener, state: Arc<DevState>) {
    thread::spawn(move || {
        for stream in listener.incoming() {
            match stream {
                Ok(client) => {
                    let state = Arc::clone(&state);
                    thread::spawn(move || serve(client, &state));
                }
                // Out of file descriptors, most likely. Pausing lets running requests give theirs back.
                Err(_) => thread::sleep(Duration::from_millis(50)),
            }
        }
    });
}

/// One connection, one request. An error here means that the client has gone, which is its good right.
fn serve(mut client: TcpStream, state: &DevState) {
    let _ = client.set_nodelay(true);
    let _ = client.set_read_timeout(Some(HEAD_TIME));
    let head = match Head::read(&mut client) {
        Ok(head) => head,
        Err(Refusal::Gone) => return,
        Err(Refusal::Malformed) => return respond(client, &pages::malformed(), false),
        Err(Refusal::TooLarge) => return respond(client, &pages::head_too_large(), false),
    };
    let _ = client.set_read_timeout(None);

    if head.path() == STATUS_PATH {
        return respond(client, &pages::status(&state.status()), head.is_head());
    }
    match state.target(head.opens_a_page()) {
        ProxyTarget::Page(phase) => respond(client, &pages::in_place_of_app(&phase, &head), head.is_head()),
        ProxyTarget::App(lease) => match lease.connect() {
            Ok(app) => {
                let _ = relay(&client, app, &head, lease);
            }
            // It died a moment ago; the session notices within the next one.
            Err(_) => respond(client, &pages::in_place_of_app(&state.phase(), &head), head.is_head()),
        },
    }
}

/// Copies bytes both ways until the app has said everything. The lease ends with the app's last byte, however long
/// the client then takes to hang up.
fn relay(client: &TcpStream, mut app: TcpStream, head: &Head, lease: Lease) -> io::Result<()> {
    let _ = app.set_nodelay(true);
    // An app that is gone by now says so where its answer is read.
    let _ = app.write_all(&head.for_the_app());

    let (mut from_client, mut to_app) = (client.try_clone()?, app.try_clone()?);
    let upload = thread::spawn(move || {
        let sent = io::copy(&mut from_client, &mut to_app);
        let _ = to_app.shutdown(Shutdown::Write);
        if sent.is_err() {
            // The app stopped reading (a body over its limit, say) but its answer is still on the way.
            drain(&mut from_client);
        }
    });
    let answered = pass_on_answer(&mut app, client, head);
    drop(lease);
    let _ = app.shutdown(Shutdown::Both);
    if answered.is_ok() {
        let _ = client.shutdown(Shutdown::Write);
        let deadline = Instant::now() + LINGER;
        while !upload.is_finished() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(5));
        }
    }
    // Wakes the thread above if the client is still silent.
    let _ = client.shutdown(Shutdown::Both);
    let _ = upload.join();
    answered
}

/// Copies the answer. An app that hung up or died before its first byte gets one of ours: an empty one would look as if we
/// had.
fn pass_on_answer(app: &mut TcpStream, mut client: &TcpStream, head: &Head) -> io::Result<()> {
    let mut first = [0; 16 * 1024];
    let length = loop {
        match app.read(&mut first) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => break read.unwrap_or(0),
        }
    };
    if length == 0 {
        return client.write_all(&pages::no_answer(head).bytes(head.is_head()));
    }
    client.write_all(&first[..length])?;
    io::copy(app, &mut client).map(drop)
}

fn respond(mut client: TcpStream, response: &Response, head_only: bool) {
    if client.write_all(&response.bytes(head_only)).is_ok() {
        let _ = client.shutdown(Shutdown::Write);
        drain(&mut client);
    }
}

/// Closing a socket with unread bytes resets the connection, and the reset can overtake the answer.
fn drain(client: &mut TcpStream) {
    let _ = client.set_read_timeout(Some(LINGER));
    let mut waste = [0; 16 * 1024];
    for _ in 0..1024 {
        match client.read(&mut waste) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
    }
}
