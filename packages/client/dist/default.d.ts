/** The client that most apps need only one of: relative to the page's own origin, below `/api`. */
export declare const 
/** `http.get`, `.post`, `.put`, `.patch`, `.delete`: a request by its method, resolved with the parsed body. */
http: import("./client.js").Http<import("./routes.js").Routes>, 
/** A request with the method among the options, resolved with the parsed body. */
call: import("./client.js").Call, 
/** Like {@link call}, resolved with the body, the status and the headers. */
send: <T = unknown>(path: string, options?: import("./index.js").RequestOptions) => Promise<import("./index.js").Answer<T>>, 
/** Asks `/api/session` who is signed in, and keeps the CSRF token of the answer for the writes that follow. */
session: <T = {
    user: unknown;
    csrf: string;
}>() => Promise<T>, 
/** Sets options of this client, most of all `onConfirm`. */
configure: (more: import("./client.js").ClientOptions) => void;
