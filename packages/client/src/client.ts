import { Aborted } from './errors/aborted.js'
import { isExpired, needsPasswordConfirmation } from './errors/guards.js'
import type { NeedsPasswordConfirmation } from './errors/needs-password-confirmation.js'
import { Offline } from './errors/offline.js'
import { embedded } from './page.js'
import { address } from './request/address.js'
import { read } from './request/answer.js'
import { isRaw } from './request/encode.js'
import type { Answer, Method, RequestOptions } from './request/options.js'
import { ownPath } from './request/origin.js'
import { shared } from './request/shared.js'
import { viaFetch, viaXhr, type Incoming } from './request/transport.js'
import type { Routes, Verb } from './routes.js'

/** What holds for every request of a client. */
export interface ClientOptions extends Pick<RequestOptions, 'headers' | 'timeout'> {
  /** Goes before every path. Default `/api`. */
  prefix?: string
  /**
   * Asked when a request is answered 423. Resolve with `true` once the password is confirmed: the request is sent again.
   * Anything else, and the request fails with `NeedsPasswordConfirmation`. Requests that are refused at the same time
   * wait for the same answer.
   */
  onConfirm?: ((error: NeedsPasswordConfirmation) => Promise<boolean>) | undefined
  /** Where the CSRF token of the session is to be had, below `prefix`. Default `/session`. */
  session?: string
}

/** A request by path and options. */
export type Call = <T = unknown>(path: string, options?: RequestOptions) => Promise<T>

/** Requests with the method fixed. */
export interface Http<R = Routes> {
  get: Verb<R, 'GET'>
  post: Verb<R, 'POST'>
  put: Verb<R, 'PUT'>
  patch: Verb<R, 'PATCH'>
  delete: Verb<R, 'DELETE'>
}

/** What {@link createClient} makes. */
export interface Client<R = Routes> {
  /** Requests with the method fixed, resolved with the parsed body. */
  http: Http<R>
  /** A request resolved with the parsed body. */
  call: Call
  /** A request resolved with `{ data, status, headers }`. */
  send: <T = unknown>(path: string, options?: RequestOptions) => Promise<Answer<T>>
  /** Asks who is signed in, and keeps the CSRF token of the answer for the writes that follow. */
  session: <T = { user: unknown; csrf: string }>() => Promise<T>
  /** Sets options after the client was made: what they need may not exist before. */
  configure: (more: ClientOptions) => void
}

/**
 * Makes a client of its own, for another prefix or in a test. Most apps use the ready-made one and `configure` it.
 *
 * ```ts
 * const { http } = createClient({ prefix: '/admin/api', timeout: 10_000 })
 * ```
 */
export function createClient<R = Routes>(options: ClientOptions = {}): Client<R> {
  const settings: ClientOptions & { prefix: string; session: string } = { prefix: '/api', session: '/session', ...options }
  let csrf: string | undefined
  let refusal: NeedsPasswordConfirmation

  const renewal = shared(() => session().then(() => !!csrf, () => false))
  const confirmation = shared(async () => (await settings.onConfirm?.(refusal)) === true)

  async function send<T>(path: string, options: RequestOptions = {}): Promise<Answer<T>> {
    const renewals = renewal.ended
    const confirmations = confirmation.ended
    let renewed = false
    let confirmed = false
    for (;;) {
      try {
        return await attempt(path, options, renewed)
      } catch (error) {
        if (isExpired(error) && !renewed) {
          // The session has another token by now, after a sign-in in another tab for one.
          renewed = await renewal.join(renewals)
          if (renewed) continue
        } else if (needsPasswordConfirmation(error) && !confirmed && options.confirm !== false) {
          refusal = error
          confirmed = await confirmation.join(confirmations)
          if (confirmed) continue
        }
        throw error
      }
    }
  }

  async function attempt<T>(path: string, options: RequestOptions, renewed?: boolean): Promise<Answer<T>> {
    const { method = 'GET', prefix = settings.prefix, timeout = settings.timeout, signal, onProgress, onRedirect } = options
    const url = address(prefix, path, options.params, options.query)
    const headers = new Headers({ accept: 'application/json' })
    let body: BodyInit | undefined
    if (!/GET|HEAD/.test(method)) {
      const token = (!renewed && options.token) || csrf || embedded().csrf
      // Another origin has no business with it.
      if (token && (!globalThis.location || ownPath(url))) headers.set('x-csrf-token', token)
      if (isRaw(options.body)) body = options.body
      else if (options.body) {
        body = JSON.stringify(options.body)
        headers.set('content-type', 'application/json')
      }
    }
    for (const more of [settings.headers, options.headers]) {
      new Headers(more).forEach((value, name) => headers.set(name, value))
    }

    const what = `${method} ${path}`
    const end = AbortSignal.any([signal, timeout && AbortSignal.timeout(timeout)].filter((each) => !!each))
    let answer: Incoming
    try {
      const outgoing = { url, method, headers, body, signal: end }
      answer = await (onProgress ? viaXhr(outgoing, onProgress) : viaFetch(outgoing))
    } catch (cause) {
      if (!end.aborted) throw new Offline(`${what} did not reach the server`, { status: 0, cause })
      throw new Aborted(`${what} was ended early`, { status: 0, cause: end.reason })
    }
    return read(answer, what, onRedirect)
  }

  async function session<T>(): Promise<T> {
    const { data } = await attempt<T & { csrf: string }>(settings.session, {})
    csrf = data.csrf
    return data
  }

  const call: Call = async <T>(path: string, options?: RequestOptions) => (await send<T>(path, options)).data
  const verb = (method: Method) => (path: string, options?: RequestOptions) => call(path, { ...options, method })
  const http = {
    get: verb('GET'),
    post: verb('POST'),
    put: verb('PUT'),
    patch: verb('PATCH'),
    delete: verb('DELETE'),
  }

  return { http: http as Http<R>, call, send, session, configure: (more) => void Object.assign(settings, more) }
}
