/** What a request can be made with. */
export interface RequestOptions {
  /** Default `GET`. */
  method?: Method | undefined
  /**
   * What a write carries. An object goes as JSON; `FormData`, `Blob`, `URLSearchParams`, bytes and strings go as they
   * are, and the browser says what they are.
   */
  body?: Body | undefined
  /** Values for the `{names}` in the path, encoded. */
  params?: Params | undefined
  /** The query. `null` and `undefined` are left out, an array repeats its key. */
  query?: Query | undefined
  /** Ends the request when it is aborted. */
  signal?: AbortSignal | undefined
  /** Milliseconds after which an unanswered request is ended. Default: none, the browser's own limit. */
  timeout?: number | undefined
  /** Goes before the path. Default `/api`; an empty string for addresses that a browser also navigates to. */
  prefix?: string | undefined
  /** The CSRF token of a write. Default: that of the last {@link session}, else the one embedded in the page. */
  token?: string | undefined
  /** Merged last, so they replace what the client would send. */
  headers?: HeadersInit | undefined
  /** Told how far an upload has come. */
  onProgress?: ((progress: Progress) => void) | undefined
  /** Told where the server redirected to, if it did: a path on this origin, or else a whole address. */
  onRedirect?: ((to: string) => void) | undefined
  /** `false`: a 423 is thrown at once. For the request that confirms the password, which cannot wait for itself. */
  confirm?: boolean | undefined
}

/** The methods of HTTP that browsers send. */
export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What a write can carry. */
export type Body = object | string

/** Values for the `{names}` in a path. */
export type Params = Readonly<Record<string, string | number>>

type Scalar = string | number | boolean | null | undefined

/** The query of a request. */
export type Query = { readonly [key: string]: Scalar | readonly Scalar[] }

/** How far an upload has come. */
export interface Progress {
  /** Bytes sent. */
  loaded: number
  /** Bytes to send. */
  total: number
  /** From 0 to 1. */
  fraction: number
}

/** A request's answer. */
export interface Answer<T> {
  /** The parsed body; an empty object when there was none. */
  data: T
  /** The status of the answer. */
  status: number
  /** The headers of the answer. */
  headers: Headers
}
