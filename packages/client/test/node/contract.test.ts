// What the client promises, held against the framework itself.

import {
  createClient, isExpired, isInvalid, isNotFound, isThrottled, isUnauthenticated, needsPasswordConfirmation, type ClientOptions,
  type RequestError,
} from '@housekey/client'
import { useForm } from '@housekey/client/vue'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { failure } from '../support/error.js'
import { startApp, type RustApp } from '../support/app.js'

let app: RustApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app?.close())

/** A client with a session. Node keeps no cookies, so the one of the session is given by hand; browsers need no such thing. */
async function visitor(options: ClientOptions = {}) {
  const greeted = await fetch(`${app.origin}/api/session`)
  const cookie = greeted.headers.getSetCookie().map((each) => each.split(';')[0]).join('; ')
  return createClient({ prefix: `${app.origin}/api`, headers: { cookie }, ...options })
}

// spec: CLT-7, SVC-5
test('nobody signed in', async () => {
  const error = await failure((await visitor()).http.get('/me'))
  expect(isUnauthenticated(error)).toBe(true)
  expect(error.status).toBe(401)
  expect(error.requestId).toMatch(/^\w+$/)
})

// spec: CLT-7
test('nothing at the address', async () => {
  expect(isNotFound(await failure((await visitor()).http.get('/mistyped')))).toBe(true)
})

// spec: CLT-7
test('an error with a code and a message of its own', async () => {
  const error = await failure((await visitor()).http.get('/plan'))
  expect(error).toMatchObject({ name: 'RequestError', status: 402, code: 'plan_ended', message: 'Your plan has ended.' })
})

test('a failure of the server keeps its secrets and names its log entry', async () => {
  const error = await failure<RequestError>((await visitor()).http.get('/broken'))
  expect(error).toMatchObject({ name: 'RequestError', status: 500 })
  expect(error.message).not.toContain('secret')
  expect(error.requestId).toBeTruthy()
})

// spec: CLT-4
test('a first write is answered 419, fetches its token and goes again', async () => {
  const { http } = await visitor()
  expect(await http.post('/echo', { body: { a: 1 } })).toEqual({ a: 1 })
  const { http: hopeless } = await visitor({ session: '/mistyped' })
  expect(isExpired(await failure(hopeless.post('/echo', { body: {} })))).toBe(true)
  expect(isExpired(await failure(hopeless.post('/echo', { body: {}, token: 'forged' })))).toBe(true)
})

// spec: CLT-4
test('the token of the session is accepted at once', async () => {
  const { http, session } = await visitor({ session: '/session' })
  const { csrf } = await session()
  expect(await http.post('/echo', { body: { a: 1 }, token: csrf })).toEqual({ a: 1 })
  expect(await http.post('/empty')).toEqual({})
  expect(await http.delete('/things/{id}', { params: { id: 'a/b ?' } })).toEqual({ removed: 'a/b ?' })
})

// spec: CLT-7, FRM-2
test('refused fields, in the client and in a form', async () => {
  const client = await visitor()
  const error = await failure(client.http.patch('/profile', { body: { name: 'much too long a name', email: 'x' } }))
  expect(isInvalid(error) && Object.keys(error.errors).sort()).toEqual(['email', 'name'])

  const form = useForm({ name: '', email: 'taken@example.com' }, { client })
  expect(await form.patch('/profile')).toBeUndefined()
  expect(form.errors.name).toContain('name')
  form.data.name = 'Ada'
  expect(await form.patch('/profile')).toBeUndefined()
  expect(form.errors).toEqual({ email: 'The e-mail address is taken.' })
  form.data.email = 'ada@example.com'
  expect(await form.patch('/profile')).toEqual({ name: 'Ada' })
})

test('a password is confirmed once for requests that are refused together', async () => {
  let asked = 0
  const client = await visitor({
    onConfirm: async () => {
      asked += 1
      await client.http.post('/confirm', { body: { password: 'correct horse' }, confirm: false })
      return true
    },
  })
  const answers = await Promise.all([client.http.delete('/account'), client.http.delete('/account')])
  expect(answers).toEqual([{ deleted: true }, { deleted: true }])
  expect(asked).toBe(1)

  const { http } = await visitor({ onConfirm: async () => false })
  expect(needsPasswordConfirmation(await failure(http.delete('/account')))).toBe(true)
})

test('too many requests, with the seconds to wait', async () => {
  const { http } = await visitor()
  await http.get('/seldom')
  const error = await failure(http.get('/seldom'))
  expect(isThrottled(error) && error.retryAfter > 0 && error.retryAfter <= 60).toBe(true)
})

// spec: CLT-6
test('repeated keys are a list, the last one wins elsewhere, brackets are refused', async () => {
  const { http } = await visitor()
  expect(await http.get('/search', { query: { ids: [1, 2], page: 3 } })).toEqual({ ids: [1, 2], page: 3 })
  expect(await http.get('/search', { query: { ids: 7, page: [1, 2] } })).toEqual({ ids: [7], page: 2 })
  const error = await failure(http.get('/search', { query: { 'ids[]': [1, 2] } }))
  expect(isInvalid(error) && Object.keys(error.errors)).toEqual(['ids'])
})

// spec: FRM-3
test('a redirect of an address that browsers navigate to is handed over, not followed', async () => {
  const client = await visitor()
  const went: string[] = []
  const form = useForm({ email: '' }, { client, onRedirect: (to) => went.push(to) })
  await form.post(`${app.origin}/sign-in`, { prefix: '' })
  expect(went).toEqual(['/welcome'])
})
