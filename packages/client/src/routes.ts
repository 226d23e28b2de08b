import type { ClientErrors } from './errors/guards.js'
import type { Invalid } from './errors/invalid.js'
import type { RequestError } from './errors/request-error.js'
import type { RequestOptions } from './request/options.js'

/**
 * The routes that the app exposes to its client, by method and path below `/api`. Empty until the app fills it, best
 * with what `housekey types` writes from its Rust:
 *
 * ```ts
 * // types/routes.gen.ts
 * import type { Profile, UpdateProfile } from './api.gen.js'
 *
 * declare module '@housekey/client' {
 *   interface Routes {
 *     'GET /settings/profile': { answer: Profile; errors: 'Unauthenticated' }
 *     'PATCH /settings/profile': {
 *       body: UpdateProfile
 *       answer: Profile
 *       errors: 'Unauthenticated' | 'Invalid'
 *       fields: 'name' | 'email'
 *     }
 *     'DELETE /settings/passkeys/{id}': { params: { id: string }; errors: 'NeedsPasswordConfirmation' }
 *   }
 * }
 * ```
 *
 * A path that is not listed can still be called, with the type of the answer given: `http.get<Profile>('/me')`.
 */
export interface Routes {}

/**
 * The routes outside `/api` that the app's client calls, by method and whole path: addresses that a browser goes to as
 * well, where a form without a script would be posted. They are called with `prefix: ''`:
 *
 * ```ts
 * await http.post('/settings/profile', { prefix: '', body: { name: 'Ada' } })
 * ```
 *
 * Without the `prefix`, such a path would be looked for below `/api`; that it is listed here and not in {@link Routes}
 * makes it a mistake that the compiler finds.
 */
export interface PageRoutes {}

/** The routes outside `/api` of a client: those of the app, unless the client has routes of its own. */
export type PagesOf<R> = Routes extends R ? PageRoutes : {}

/** What is known of one route. Every part may be left out. */
export interface RouteShape {
  /** Values for the `{names}` in the path. */
  params?: object
  /** The query. */
  query?: object
  /** What a write carries. */
  body?: unknown
  /** The parsed body of the answer. */
  answer?: unknown
  /** The names of the errors that the route's guards and validation can answer with. */
  errors?: keyof ClientErrors
  /** The fields that an `Invalid` can name. */
  fields?: string
}

/** The listed paths of a method. */
export type PathOf<R, M extends string> = {
  [K in keyof R]: K extends `${M} ${infer Path}` ? Path : never
}[keyof R]

/** A listed route. */
export type RouteOf<R, M extends string, Path> = R[`${M} ${Path & string}` & keyof R]

/** What a listed route answers. */
export type AnswerOf<Route> = Route extends { answer: infer T } ? T : unknown

/** The errors that a listed route can be refused with, for a `catch` to be checked against. */
export type ErrorOf<Route> = Route extends { errors: infer Names }
  ? { [Name in Names & keyof ClientErrors]: Name extends 'Invalid' ? Invalid<FieldOf<Route>> : ClientErrors[Name] }[Names &
      keyof ClientErrors]
  : RequestError

type FieldOf<Route> = Route extends { fields: infer Field extends string } ? Field : string

/** A request whose method is fixed. */
export interface Verb<R, M extends string, P = PagesOf<R>> {
  /** A listed route outside `/api`: options and answer are known. */
  <Path extends PathOf<P, M>>(
    path: Path,
    options: Options<RouteOf<P, M, Path>> & Outside,
  ): Promise<AnswerOf<RouteOf<P, M, Path>>>
  /** A listed route: options and answer are known. */
  <Path extends PathOf<R, M>>(path: Path, ...options: Given<Options<RouteOf<R, M, Path>>>): Promise<AnswerOf<RouteOf<R, M, Path>>>
  /** Any other path: the caller says what is answered. */
  <T = unknown, Path extends string = string>(path: Unlisted<Path, R, M, P>, options?: Omit<RequestOptions, 'method'>): Promise<T>
}

/** A path that is in no list. */
export type Unlisted<Path, R, M extends string, P> = Path & (Path extends PathOf<R, M> | PathOf<P, M> ? never : unknown)

/** What tells a route outside `/api` from one below it. */
export interface Outside {
  /** Nothing goes before the path. */
  prefix: ''
}

/** Must be given as soon as something in it must be. */
export type Given<Options> = {} extends Options ? [options?: Options] : [options: Options]

type Parts<Route> = Pick<Route, keyof Route & ('params' | 'body')> & QueryPart<Route>

/** A query of which everything may be left out may be left out. */
type QueryPart<Route> = Route extends { query: infer Q } ? ({} extends Q ? { query?: Q } : { query: Q }) : {}

type Options<Route> = Omit<RequestOptions, 'method' | 'params' | 'query' | 'body'> & Parts<Route>
