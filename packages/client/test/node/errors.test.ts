import {
  Expired, Invalid, NeedsPasswordConfirmation, NotFound, RequestError, Throttled, Unauthenticated, createClient,
  isAborted, isInvalid, isNotFound, isOffline, isRequestError, isThrottled, isUnauthenticated, needsPasswordConfirmation,
  type Aborted,
} from '@housekey/client'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { failure } from '../support/error.js'
import { root } from '../support/root.js'
import { listen, serve, type Reply } from '../support/server.js'

/** The error that an answer is turned into. */
async function errorOf(reply: Reply) {
  const server = await serve(() => reply)
  return failure(createClient({ prefix: server.origin }).http.post('/things'))
}

// spec: CLT-7, SVC-5
test.each([
  [401, Unauthenticated, 'Unauthenticated'],
  [404, NotFound, 'NotFound'],
  [419, Expired, 'Expired'],
  [422, Invalid, 'Invalid'],
  [423, NeedsPasswordConfirmation, 'NeedsPasswordConfirmation'],
  [429, Throttled, 'Throttled'],
  [403, RequestError, 'RequestError'],
  [500, RequestError, 'RequestError'],
  [503, RequestError, 'RequestError'],
] as const)('%i is thrown as %o', async (status, kind, name) => {
  const error = await errorOf({ status, body: { message: 'No.', code: 'no', requestId: 'r1' } })
  expect(error).toBeInstanceOf(Error)
  expect(error.constructor).toBe(kind)
  expect(error).toMatchObject({ name, message: 'No.', status, code: 'no', requestId: 'r1' })
})

// spec: CLT-7
test('a refusal has its messages by field', async () => {
  const errors = { email: ['Too long.', 'Taken.'], 'address.city': ['Missing.'] }
  const error = await errorOf({ status: 422, body: { message: 'Too long.', errors } })
  expect(isInvalid(error) && error.errors).toEqual(errors)
  const bare = await errorOf({ status: 422, body: { message: 'No.' } })
  expect(isInvalid(bare) && bare.errors).toEqual({})
})

test.each([
  ['17', 17],
  ['0', 0],
  ['nonsense', 0],
  ['Tue, 06 May 2031 13:00:00 GMT', 3600],
  ['Tue, 06 May 2031 11:00:00 GMT', 0],
])('a wait of %s is understood', async (said, seconds) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2031, 4, 6, 12) })
  onTestFinished(() => void vi.useRealTimers())
  const error = await errorOf({ status: 429, headers: { 'retry-after': said }, body: {} })
  expect(isThrottled(error) && error.retryAfter).toBe(seconds)
})

test('a wait that is not named is none', async () => {
  const error = await errorOf({ status: 429, body: {} })
  expect(isThrottled(error) && error.retryAfter).toBe(0)
})

test('a page where JSON was expected is a clear error', async () => {
  const page = { headers: { 'content-type': 'text/html', 'x-request-id': 'r9' }, body: '<!doctype html><h1>Bad gateway</h1>' }
  const error = await errorOf({ status: 502, ...page })
  expect(error).toMatchObject({ name: 'RequestError', status: 502, code: 'not_json', requestId: 'r9' })
  expect(error.message).toBe('POST /things was answered 502 with text/html instead of JSON')

  const ok = await errorOf({ status: 200, ...page })
  expect(ok.message).toBe('POST /things was answered 200 with text/html instead of JSON')
  expect(isNotFound(await errorOf({ status: 404, ...page }))).toBe(true)
})

test('an error without words still says what was asked and answered', async () => {
  expect((await errorOf({ status: 500 })).message).toBe('POST /things was answered 500')
  expect((await errorOf({ status: 500, body: 'null' })).message).toBe('POST /things was answered 500')
})

test('a server that is not there is told from one that refuses', async () => {
  const server = await listen(() => ({}))
  await server.close()
  const error = await failure(createClient({ prefix: server.origin }).http.get('/things'))
  expect(isOffline(error)).toBe(true)
  expect(error).toMatchObject({ status: 0, message: 'GET /things did not reach the server' })
  expect(error.cause).toBeInstanceOf(TypeError)
})

test('an answer that breaks off in the middle is no answer', async () => {
  const server = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{"half":')
    response.destroy()
    return undefined
  })
  expect(isOffline(await failure(createClient({ prefix: server.origin }).http.get('/')))).toBe(true)
})

// spec: CLT-5
test('a signal cancels, before and during the request', async () => {
  const server = await serve(() => undefined)
  const { http } = createClient({ prefix: server.origin })
  const error = await failure<Aborted>(http.get('/things', { signal: AbortSignal.abort() }))
  expect(isAborted(error) && error.timedOut).toBe(false)
  expect(server.arrived).toHaveLength(0)

  const end = new AbortController()
  const pending = failure<Aborted>(http.get('/things', { signal: end.signal, timeout: 600_000 }))
  await expect.poll(() => server.arrived.length).toBe(1)
  end.abort()
  expect((await pending).name).toBe('Aborted')
})

test('time runs out, also beside a signal', async () => {
  const server = await serve(() => undefined)
  const { http } = createClient({ prefix: server.origin, timeout: 20 })
  const error = await failure<Aborted>(http.get('/things', { signal: new AbortController().signal }))
  expect(isAborted(error) && error.timedOut).toBe(true)
  expect(error.status).toBe(0)
})

test('guards know the errors of another copy of the client, and nobody else’s', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'housekey-client-copy-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(`${root}dist`, folder, { recursive: true })
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }')
  const other = (await import(/* @vite-ignore */ path.join(folder, 'index.js'))) as typeof import('@housekey/client')
  expect(other.RequestError).not.toBe(RequestError)
  const error = new other.Invalid('No.', { status: 422, data: { errors: { name: ['No.'] } } })
  expect(error).not.toBeInstanceOf(Invalid)
  expect(isInvalid(error)).toBe(true)
  expect(isRequestError(error)).toBe(true)
  expect(isUnauthenticated(error)).toBe(false)

  const impostor = Object.assign(new Error('No.'), { name: 'Invalid', errors: {} })
  for (const thing of [impostor, null, undefined, 'Invalid', { name: 'Invalid' }]) expect(isInvalid(thing)).toBe(false)
  expect(needsPasswordConfirmation(error)).toBe(false)
})
