import type * as Client from '@housekey/client'
import { beforeAll, expect, test } from 'vitest'
import { bundle } from '../support/bundle.js'
import { open, requests, type SiteOptions } from '../support/browser.js'
import { serve, type Handler } from '../support/server.js'

declare global {
  // The whole of the client, for `page.evaluate`.
  var client: typeof Client
}

let script: string
beforeAll(async () => {
  script = await bundle('client.ts')
})

const site = async (options: Partial<SiteOptions> = {}) => {
  const opened = await open({ script, ...options })
  await opened.page.waitForFunction(() => 'client' in globalThis)
  return opened
}

const ok: Handler = () => ({ body: { ok: true } })

// spec: CLT-4, SHL-10
test('writes carry the token that the page embeds', async () => {
  const opened = await site({ data: { csrf: 'embedded' }, api: ok })
  await opened.page.evaluate(async () => {
    await client.http.post('/things', { body: { a: 1 } })
    await client.http.post('/things', { token: 'given' })
    await client.http.get('/things')
  })
  expect(requests(opened).map(({ url, headers }) => [url, headers['x-csrf-token']])).toEqual([
    ['/api/things', 'embedded'], ['/api/things', 'given'], ['/api/things', undefined],
  ])
  expect(opened.problems).toEqual([])
})

// spec: CLT-8
test('page is read once, embedded() anew on every call', async () => {
  const { page } = await site({ data: { csrf: 'a', user: { name: 'Ada' } } })
  const seen = await page.evaluate(() => {
    const before = [client.page, client.embedded()]
    document.getElementById('page-data')!.textContent = '{"csrf":"b"}'
    return [...before, client.page, client.embedded()]
  })
  const first = { csrf: 'a', user: { name: 'Ada' } }
  expect(seen).toEqual([first, first, first, { csrf: 'b' }])
})

// spec: CLT-8
test.each([undefined, '', 'null', '7', 'not json'])('an embedded payload of %o is empty', async (data) => {
  const { page, problems } = await site(data === undefined ? {} : { data })
  expect(await page.evaluate(() => [client.page, client.embedded()])).toEqual([{}, {}])
  expect(problems).toEqual([])
})

// spec: CLT-2
test('the session cookie goes along, and no script reads it', async () => {
  const opened = await site({ api: ok })
  await opened.page.evaluate(() => client.http.post('/things', { body: {} }))
  const [request] = requests(opened)
  expect(request!.headers.cookie).toBe('session=s1')
  expect(request!.headers.authorization).toBeUndefined()
  expect(await opened.page.evaluate(() => document.cookie)).toBe('')
})

// spec: CLT-2
test('another origin gets neither cookie nor token, however its address is written', async () => {
  const cors = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }
  const other = await serve(() => ({ headers: cors, body: {} }))
  // The page's own policy would refuse already; without one it is the client that must.
  const { page } = await site({ data: { csrf: 'embedded' }, policy: "default-src * 'nonce-n1'" })
  await page.evaluate(async (origin) => {
    await client.http.post(`${origin}/steal`, { prefix: '', token: 'given' })
    await client.http.post(`${origin.slice(5)}/steal`, { prefix: '', body: 'x' })
    await client.http.post('/steal', { prefix: origin })
  }, other.origin)
  expect(other.arrived.filter(({ method }) => method === 'POST')).toHaveLength(3)
  for (const { headers } of other.arrived) {
    expect(headers['x-csrf-token']).toBeUndefined()
    expect(headers['access-control-request-headers'] ?? '').not.toContain('csrf')
    expect(headers.cookie).toBeUndefined()
  }
})

test('a redirect on the same origin is a path', async () => {
  const { page } = await site({
    api: ({ url }) => (url === '/api/start' ? { status: 303, headers: { location: '/api/end?a=1' } } : { body: '<h1>page</h1>' }),
  })
  const heard = await page.evaluate(async () => {
    const told: unknown[] = []
    const onRedirect = (to: string) => told.push(to)
    await client.send('/start', { method: 'POST', onRedirect })
    await client.send('/start', { method: 'POST', onRedirect, onProgress() {} })
    await client.send('/end', { method: 'POST', onRedirect, query: { a: 1 } }).catch((error: Client.RequestError) => told.push(error.code))
    return told
  })
  expect(heard).toEqual(['/api/end?a=1', '/api/end?a=1', 'not_json'])
})

test('a browser without a network says so', async () => {
  const { page } = await site({ api: ok })
  await page.context().setOffline(true)
  const names = await page.evaluate(() =>
    Promise.all([
      client.http.get('/things').catch((error: unknown) => client.isOffline(error)),
      client.http.post('/things', { body: 'x', onProgress() {} }).catch((error: unknown) => client.isOffline(error)),
    ]),
  )
  expect(names).toEqual([true, true])
})

test('an upload tells how far it has come, by XMLHttpRequest and only then', async () => {
  const opened = await site({ data: { csrf: 'embedded' }, api: ({ body }) => ({ status: 201, headers: { 'x-answer': 'yes' }, body: { size: body.length } }) })
  const { seen, answer, used } = await opened.page.evaluate(async () => {
    let used = 0
    const send = XMLHttpRequest.prototype.send
    XMLHttpRequest.prototype.send = function (body) {
      used += 1
      send.call(this, body)
    }
    await client.http.post('/small', { body: { a: 1 } })
    const before = used
    const seen: Client.Progress[] = []
    const body = new Blob([new Uint8Array(5_000_000)])
    const { data, status, headers } = await client.send('/photo', { method: 'POST', body, onProgress: (progress) => seen.push(progress) })
    return { seen, answer: [data, status, headers.get('x-answer')], used: [before, used] }
  })
  expect(used).toEqual([0, 1])
  expect(answer).toEqual([{ size: 5_000_000 }, 201, 'yes'])
  expect(seen.at(-1)).toEqual({ loaded: 5_000_000, total: 5_000_000, fraction: 1 })
  expect(seen.every(({ fraction }, at) => fraction >= (seen[at - 1]?.fraction ?? 0))).toBe(true)
  const upload = requests(opened).at(-1)!
  expect(upload.headers).toMatchObject({ 'x-csrf-token': 'embedded', cookie: 'session=s1', accept: 'application/json' })
})

test('an upload fails with the same errors, and can be cancelled', async () => {
  const opened = await site({
    api: ({ url }) => {
      if (url === '/api/slow') return undefined
      return url === '/api/empty' ? { status: 204 } : { status: 422, body: { message: 'No.', errors: { photo: ['Too big.'] } } }
    },
  })
  const results = await opened.page.evaluate(async () => {
    const options = { body: 'x', onProgress() {} }
    const invalid = await client.http.post('/photo', options).catch((error: unknown) => client.isInvalid(error) && error.errors)
    const empty = await client.http.post('/empty', options)
    const end = new AbortController()
    setTimeout(() => end.abort(), 50)
    const aborted = await client.http.post('/slow', { ...options, signal: end.signal }).catch(client.isAborted)
    const already = await client.http.post('/slow', { ...options, signal: AbortSignal.abort() }).catch(client.isAborted)
    const late = await client.http.post('/slow', { ...options, timeout: 20 }).catch((error: unknown) => client.isAborted(error) && error.timedOut)
    return [invalid, empty, aborted, already, late]
  })
  expect(results).toEqual([{ photo: ['Too big.'] }, {}, true, true, true])
})

test('two tabs, one session: the token of the other tab’s sign-in is fetched once', async () => {
  let token = 'a'
  const opened = await site({
    data: { csrf: 'a' },
    api: ({ url, headers }) => {
      if (url === '/api/session') return { body: { user: null, csrf: token } }
      return headers['x-csrf-token'] === token ? { body: { ok: true } } : { status: 419, body: {} }
    },
  })
  token = 'b'
  const answers = await opened.page.evaluate(() => Promise.all([client.http.post('/one'), client.http.post('/two'), client.http.post('/three')]))
  expect(answers).toEqual([{ ok: true }, { ok: true }, { ok: true }])
  expect(requests(opened).filter(({ url }) => url === '/api/session')).toHaveLength(1)
  await opened.page.evaluate(() => client.http.post('/four'))
  expect(requests(opened)).toHaveLength(8)
})
