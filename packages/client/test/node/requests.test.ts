import { createClient, embedded, page } from '@housekey/client'
import { expect, test } from 'vitest'
import { serve, type Arrived } from '../support/server.js'

/** A server that answers with what it got, and a client for it. */
async function echo() {
  const server = await serve(({ method, url, headers, body }) => ({
    status: 201,
    headers: { 'x-answer': 'yes' },
    body: { method, url, type: headers['content-type'] ?? null, text: body.toString() },
  }))
  const client = createClient({ prefix: `${server.origin}/api` })
  const last = () => server.arrived.at(-1) as Arrived
  return { ...client, server, last }
}

// spec: CLT-1, SVC-5
test('every method is a call with the method fixed', async () => {
  const { http, last } = await echo()
  for (const method of ['get', 'post', 'put', 'patch', 'delete'] as const) {
    expect(await http[method]('/things')).toMatchObject({ method: method.toUpperCase(), url: '/api/things' })
    expect(last().method).toBe(method.toUpperCase())
  }
})

// spec: CLT-1
test('call answers with the body, send with body, status and headers, and nothing else', async () => {
  const { call, send } = await echo()
  expect(await call<{ method: string }>('/things', { method: 'PUT' })).toMatchObject({ method: 'PUT' })
  const answer = await send<{ method: string }>('/things')
  expect(answer.data.method).toBe('GET')
  expect(answer.status).toBe(201)
  expect(answer.headers.get('x-answer')).toBe('yes')
  expect(Object.keys(answer)).toEqual(['data', 'status', 'headers'])
})

// spec: CLT-2, VER-1
test('it asks for JSON and sends neither an Authorization header nor a protocol header of its own', async () => {
  const { http, last } = await echo()
  await http.post('/things', { body: { a: 1 }, token: 't' })
  expect(last().headers.accept).toBe('application/json')
  expect(last().headers.authorization).toBeUndefined()
  expect(Object.keys(last().headers).filter((name) => name.startsWith('x-'))).toEqual(['x-csrf-token'])
})

// spec: CLT-3
test('an object goes as JSON', async () => {
  const { http, last } = await echo()
  await http.post('/things', { body: { name: 'Ada', tags: ['a'] } })
  expect(last().headers['content-type']).toBe('application/json')
  expect(last().body.toString()).toBe('{"name":"Ada","tags":["a"]}')
  await http.patch('/things', { body: [1, 2] })
  expect(last().body.toString()).toBe('[1,2]')
  await http.delete('/things')
  expect(last().headers['content-type']).toBeUndefined()
  expect(last().body).toHaveLength(0)
})

// spec: CLT-3
test('what is not an object goes as it is, and says itself what it is', async () => {
  const { http, last } = await echo()
  const form = new FormData()
  form.set('name', 'Ada')
  await http.post('/things', { body: form })
  expect(last().headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)

  await http.post('/things', { body: new URLSearchParams({ a: '1 2' }) })
  expect(last().headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/)
  expect(last().body.toString()).toBe('a=1+2')

  await http.post('/things', { body: new Blob(['<svg/>'], { type: 'image/svg+xml' }) })
  expect(last().headers['content-type']).toBe('image/svg+xml')

  for (const bytes of [new Uint8Array([1, 2, 3]), new Uint8Array([1, 2, 3]).buffer]) {
    await http.post('/things', { body: bytes })
    expect(last().headers['content-type']).toBeUndefined()
    expect([...last().body]).toEqual([1, 2, 3])
  }

  await http.post('/things', { body: '{"already":"text"}' })
  expect(last().headers['content-type']).not.toContain('json')
  expect(last().body.toString()).toBe('{"already":"text"}')
})

// spec: CLT-4
test('the token goes with writes and only with writes', async () => {
  const { http, last } = await echo()
  for (const method of ['post', 'put', 'patch', 'delete'] as const) {
    await http[method]('/things', { token: 'secret' })
    expect(last().headers['x-csrf-token']).toBe('secret')
  }
  await http.get('/things', { token: 'secret' })
  expect(last().headers['x-csrf-token']).toBeUndefined()
  await http.post('/things')
  expect(last().headers['x-csrf-token']).toBeUndefined()
})

// spec: CLT-8
test('outside a browser nothing is embedded', () => {
  expect([page, embedded()]).toEqual([{}, {}])
})

// spec: CLT-5
test('the prefix can be replaced and removed', async () => {
  const { server, http, last } = await echo()
  await http.get('/things', { prefix: `${server.origin}/other` })
  expect(last().url).toBe('/other/things')
  await http.get(`${server.origin}/sign-in`, { prefix: '' })
  expect(last().url).toBe('/sign-in')
  await http.get('things')
  expect(last().url).toBe('/api/things')
})

// spec: CLT-5
test('headers are merged last, whatever the case of their names', async () => {
  const { server, last } = await echo()
  const { http } = createClient({ prefix: server.origin, headers: { 'X-One': 'client', 'X-Two': 'client' } })
  await http.post('/', { body: { a: 1 }, headers: { Accept: 'text/csv', 'Content-Type': 'application/ld+json', 'x-two': 'call' } })
  expect(last().headers).toMatchObject({
    accept: 'text/csv', 'content-type': 'application/ld+json', 'x-one': 'client', 'x-two': 'call',
  })
})

// spec: CLT-6
test('the query says numbers and booleans, leaves out nothingness and repeats the keys of arrays', async () => {
  const { http, last } = await echo()
  await http.get('/things', { query: { page: 2, all: false, q: 'a b&c', none: null, not: undefined, ids: [1, 2, null], empty: [] } })
  expect(last().url).toBe('/api/things?page=2&all=false&q=a+b%26c&ids=1&ids=2')
  await http.get('/things?sort=name', { query: { page: 1 } })
  expect(last().url).toBe('/api/things?sort=name&page=1')
  await http.get('/things', { query: { none: null } })
  expect(last().url).toBe('/api/things')
})

test('parameters fill the path, and cannot leave their place', async () => {
  const { http, server, last } = await echo()
  await http.get('/posts/{id}/comments/{comment}', { params: { id: 7, comment: 'a/b?c#d' } })
  expect(last().url).toBe('/api/posts/7/comments/a%2Fb%3Fc%23d')
  for (const id of ['', '.', '..']) {
    await expect(http.delete('/posts/{id}', { params: { id } })).rejects.toThrow(`{id} cannot be "${id}"`)
  }
  await expect(http.delete('/posts/{id}', { params: {} })).rejects.toThrow('{id}')
  await http.get('/posts/{id}', { params: { id: '../../admin' } })
  expect(last().url).toBe('/api/posts/..%2F..%2Fadmin')
  expect(server.arrived).toHaveLength(2)
})

// spec: CLT-7
test('an empty answer is an empty object', async () => {
  const server = await serve(({ url }) => ({ status: url === '/204' ? 204 : 200 }))
  const { http, send } = createClient({ prefix: server.origin })
  expect(await http.delete('/204')).toEqual({})
  expect(await http.get('/empty')).toEqual({})
  expect((await send('/204', { method: 'DELETE' })).status).toBe(204)
})

test('an answer of null is null', async () => {
  const server = await serve(() => ({ body: 'null', headers: { 'content-type': 'application/json' } }))
  expect(await createClient({ prefix: server.origin }).http.get('/')).toBeNull()
})

// spec: CLT-1
test('a redirect is followed, and told to who asks', async () => {
  const server = await serve(({ url }) =>
    url === '/start' ? { status: 303, headers: { location: '/end?a=1' } } : { body: '<h1>a page</h1>', headers: { 'content-type': 'text/html' } },
  )
  const { send } = createClient({ prefix: server.origin })
  const told: string[] = []
  const answer = await send('/start', { method: 'POST', onRedirect: (to) => told.push(to) })
  expect(answer).toEqual({ status: 200, data: {}, headers: answer.headers })
  expect(told).toEqual([`${server.origin}/end?a=1`])
})
