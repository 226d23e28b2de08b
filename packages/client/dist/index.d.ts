/**
 * The browser client of Housekey: JSON to the app's own backend, and errors with names.
 *
 * ```ts
 * import { http, isInvalid } from '@housekey/client'
 *
 * try {
 *   await http.patch('/settings/profile', { body: { name: 'Ada' } })
 * } catch (error) {
 *   if (isInvalid(error)) console.log(error.errors)
 * }
 * ```
 *
 * Forms are on `/vue`, `/react` and `/svelte`, passkeys on `/passkeys`, live updates on `/live`. This module imports nothing but its own files.
 *
 * @module
 */
export { call, configure, http, send, session } from './default.js';
export { createClient } from './client.js';
export type { Call, Client, ClientOptions, Http } from './client.js';
export { embedded, page } from './page.js';
export type { Page } from './page.js';
export type { Answer, Body, Method, Params, Progress, Query, RequestOptions } from './request/options.js';
export type { AnswerOf, ErrorOf, PageRoutes, PathOf, RouteShape, Routes, Verb } from './routes.js';
export { Aborted } from './errors/aborted.js';
export { Expired } from './errors/expired.js';
export { Invalid } from './errors/invalid.js';
export { NeedsPasswordConfirmation } from './errors/needs-password-confirmation.js';
export { NotFound } from './errors/not-found.js';
export { Offline } from './errors/offline.js';
export { RequestError } from './errors/request-error.js';
export { Throttled } from './errors/throttled.js';
export { Unauthenticated } from './errors/unauthenticated.js';
export type { Facts } from './errors/request-error.js';
export type { ClientError, ClientErrors } from './errors/guards.js';
export { isAborted, isExpired, isInvalid, isNotFound, isOffline, isRequestError, isThrottled, isUnauthenticated, needsPasswordConfirmation, } from './errors/guards.js';
