import { createClient } from './client.js'

/** The client that most apps need only one of: relative to the page's own origin, below `/api`. */
export const {
  /** `http.get`, `.post`, `.put`, `.patch`, `.delete`: a request by its method, resolved with the parsed body. */
  http,
  /** A request with the method among the options, resolved with the parsed body. */
  call,
  /** Like {@link call}, resolved with the body, the status and the headers. */
  send,
  /** Asks `/api/session` who is signed in, and keeps the CSRF token of the answer for the writes that follow. */
  session,
  /** Sets options of this client, most of all `onConfirm`. */
  configure,
} = /* @__PURE__ */ createClient()
