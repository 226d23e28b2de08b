import { createClient, isAborted, isThrottled } from '@housekey/client'
import { useForm as useSvelteForm } from '@housekey/client/svelte'
import { useForm, type Form, type FormOptions } from '@housekey/client/vue'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { computed, effectScope, watchEffect } from 'vue'
import { failure } from '../support/error.js'
import { serve, type Handler } from '../support/server.js'

afterEach(() => vi.useRealTimers())

interface SignIn {
  email: string
  password: string
}

/** A sign-in form for a server that answers so. */
async function signIn(handler: Handler, options: FormOptions<SignIn> = {}) {
  const server = await serve(handler)
  const client = createClient({ prefix: server.origin })
  const form = useForm<SignIn>({ email: 'a@b.c', password: 'secret' }, { client, ...options })
  return { server, form }
}

const refused: Handler = () => ({ status: 422, body: { message: 'No.', errors: { email: ['First.', 'Second.'], password: ['Short.'] } } })

// spec: FRM-1
test.each(['post', 'put', 'patch', 'delete'] as const)('%s sends the values', async (method) => {
  const { server, form } = await signIn(() => ({ body: { id: 7 } }))
  form.data.email = 'new@b.c'
  expect(await form[method]('/sign-in')).toEqual({ id: 7 })
  expect(await form.submit(method, '/sign-in')).toEqual({ id: 7 })
  expect(server.log()).toEqual([`${method.toUpperCase()} /sign-in`, `${method.toUpperCase()} /sign-in`])
  expect(JSON.parse(server.arrived[1]!.body.toString())).toEqual({ email: 'new@b.c', password: 'secret' })
})

// spec: FRM-1, FRM-2
test('a refusal fills the first message per field and resolves with nothing', async () => {
  const { form } = await signIn(refused)
  expect(await form.post('/sign-in')).toBeUndefined()
  expect(form.errors).toEqual({ email: 'First.', password: 'Short.' })
  expect(form.processing).toBe(false)
  expect(form.recentlySuccessful).toBe(false)
})

// spec: FRM-2
test('errors are gone while the next request is on its way', async () => {
  const { form } = await signIn(refused)
  await form.post('/sign-in')
  const second = form.post('/sign-in')
  expect(form.errors).toEqual({})
  expect(form.processing).toBe(true)
  await second
  expect(form.errors.email).toBe('First.')
})

// spec: FRM-2
test('other failures are thrown, and the form is ready again', async () => {
  const { form } = await signIn(() => ({ status: 429, headers: { 'retry-after': '3' }, body: { message: 'Slow down.' } }))
  const error = await failure(form.post('/sign-in'))
  expect(isThrottled(error) && error.retryAfter).toBe(3)
  expect(form.processing).toBe(false)
})

// spec: FRM-2
test('a refusal that names no field is about the whole form, and gone with the next request', async () => {
  const answers = [{ status: 422, body: { message: 'User already exists.', code: 'USER_EXISTS' } }, refused, {}]
  const { form } = await signIn((request, response) => {
    const answer = answers.shift()!
    return typeof answer === 'function' ? answer(request, response) : answer
  })
  expect(await form.post('/sign-up')).toBeUndefined()
  expect(form.error).toBe('User already exists.')
  expect(form.errors).toEqual({})
  const second = form.post('/sign-up')
  expect(form.error).toBeUndefined()
  expect(await second).toBeUndefined()
  expect(form.errors).toEqual({ email: 'First.', password: 'Short.' })
  expect(form.error).toBeUndefined()
  await form.post('/sign-up')
  expect(form.errors).toEqual({})
})

test('a message about the whole form goes when all messages are cleared, and stays when one field’s are', async () => {
  const { form } = await signIn(() => ({ status: 422, body: { message: 'No.' } }))
  await form.post('/sign-up')
  form.clearErrors('email')
  expect(form.error).toBe('No.')
  form.clearErrors()
  expect(form.error).toBeUndefined()
  await form.post('/sign-up')
  form.reset()
  expect(form.error).toBeUndefined()
})

test('a bare refusal, a page or nothing at all, is said too', async () => {
  for (const answer of [{ status: 422 }, { status: 422, body: '<h1>No</h1>', headers: { 'content-type': 'text/html' } }]) {
    const { form } = await signIn(() => answer)
    expect(await form.post('/sign-up')).toBeUndefined()
    expect(form.error).toContain('was answered 422')
  }
})

// spec: FRM-2
test('an exception in transform or token also leaves the form ready', async () => {
  const broken = () => {
    throw new Error('broken')
  }
  for (const options of [{ transform: broken }, { token: broken }]) {
    const { server, form } = await signIn(() => ({}), options)
    await expect(form.post('/sign-in')).rejects.toThrow('broken')
    expect(form.processing).toBe(false)
    expect(server.arrived).toHaveLength(0)
  }
})

// spec: FRM-2
test('the token is read per submission', async () => {
  let token = 'before'
  const { server, form } = await signIn(() => ({ body: {} }), { token: () => token })
  await form.post('/sign-in')
  token = 'after'
  await form.post('/sign-in')
  expect(server.arrived.map((request) => request.headers['x-csrf-token'])).toEqual(['before', 'after'])
})

// spec: FRM-1
test('success is told with the answer, when the form is ready for the next', async () => {
  const heard: unknown[] = []
  const { server, form } = await signIn(() => ({ body: { id: 7 } }), {
    onSuccess: async (answer) => {
      heard.push(answer, form.processing)
      if (heard.length === 2) await form.put('/second')
    },
  })
  await form.post('/first')
  expect(heard).toEqual([{ id: 7 }, false, { id: 7 }, false])
  expect(server.log()).toEqual(['POST /first', 'PUT /second'])
})

// spec: FRM-3
test('a redirect is handed to onRedirect', async () => {
  const followed: string[] = []
  const { server, form } = await signIn(
    ({ url }) => (url === '/sign-in' ? { status: 303, headers: { location: '/dashboard' } } : { body: '<h1>page</h1>' }),
    { onRedirect: (to) => followed.push(to) },
  )
  expect(await form.post('/sign-in')).toEqual({})
  expect(followed).toEqual([`${server.origin}/dashboard`])
})

// spec: FRM-3
test('a redirect in the answer’s body is handed over too', async () => {
  const followed: string[] = []
  const { form } = await signIn(() => ({ body: { redirect: '/two-factor-challenge' } }), { onRedirect: (to) => followed.push(to) })
  expect(await form.post('/sign-in')).toEqual({ redirect: '/two-factor-challenge' })
  expect(followed).toEqual(['/two-factor-challenge'])
})

// spec: FRM-3
test('without onRedirect a redirect is reported and nothing moves', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { form } = await signIn(() => ({ body: { redirect: '/dashboard' } }))
  expect(await form.post('/sign-in')).toEqual({ redirect: '/dashboard' })
  expect(warned.mock.calls).toEqual([['/sign-in redirects to /dashboard; nothing moves, because the form has no onRedirect']])
  warned.mockRestore()
})

// spec: FRM-1
test('reset returns to the start, all fields or some', async () => {
  const { form } = await signIn(refused)
  await form.post('/sign-in')
  form.fill({ email: 'x', password: 'y' })
  form.reset('password')
  expect(form.data).toEqual({ email: 'x', password: 'secret' })
  expect(form.errors).toEqual({ email: 'First.' })
  form.reset()
  expect(form.data).toEqual({ email: 'a@b.c', password: 'secret' })
  expect(form.errors).toEqual({})
})

// spec: FRM-1
test('clearErrors removes all messages or some', async () => {
  const { form } = await signIn(refused)
  await form.post('/sign-in')
  form.clearErrors('email')
  expect(form.errors).toEqual({ password: 'Short.' })
  form.clearErrors()
  expect(form.errors).toEqual({})
})

test('a form is dirty until its values are what they were, or are committed', async () => {
  const form = useForm({ name: 'Ada', tags: ['a', { deep: 1 }] as unknown[], born: null as Date | null })
  const seen = computed(() => form.isDirty)
  expect(seen.value).toBe(false)
  form.data.tags.push('b')
  expect(seen.value).toBe(true)
  form.data.tags.pop()
  expect(seen.value).toBe(false)
  ;(form.data.tags[1] as { deep: number }).deep = 2
  expect(seen.value).toBe(true)
  form.commit()
  expect(seen.value).toBe(false)
  form.data.tags = []
  form.reset()
  expect(form.data.tags).toEqual(['a', { deep: 2 }])
})

test('a success does not make the values the new start by itself', async () => {
  const { form } = await signIn(() => ({ body: {} }))
  form.data.email = 'new@b.c'
  await form.post('/profile')
  expect(form.isDirty).toBe(true)
  form.commit()
  expect(form.isDirty).toBe(false)
})

test('what was given at the start stays the caller’s own', async () => {
  const initial = { tags: ['a'] }
  const form = useForm(initial)
  form.data.tags.push('b')
  expect(initial.tags).toEqual(['a'])
  const loaded = { tags: ['c'] }
  form.fill(loaded)
  form.data.tags.push('d')
  expect(loaded.tags).toEqual(['c'])
})

test('transform makes the body, and cannot change the form', async () => {
  const { server, form } = await signIn(() => ({ body: {} }), {
    transform: (data) => {
      data.password = 'changed'
      return { ...data, remember: true }
    },
  })
  await form.post('/sign-in')
  expect(JSON.parse(server.arrived[0]!.body.toString())).toEqual({ email: 'a@b.c', password: 'changed', remember: true })
  expect(form.data.password).toBe('secret')
})

test('files go through a transform to FormData', async () => {
  const server = await serve(() => ({ body: {} }))
  const form = useForm({ photo: null as File | null }, {
    client: createClient({ prefix: server.origin }),
    transform: ({ photo }) => {
      const body = new FormData()
      if (photo) body.set('photo', photo)
      return body
    },
  })
  form.data.photo = new File(['pixels'], 'me.png', { type: 'image/png' })
  expect(form.isDirty).toBe(true)
  await form.post('/photo')
  expect(server.arrived[0]!.headers['content-type']).toMatch(/^multipart\/form-data/)
  expect(server.arrived[0]!.body.toString()).toContain('pixels')
})

test('a second submission is the first one', async () => {
  const { server, form } = await signIn(() => ({ body: { id: 7 } }))
  const first = form.post('/sign-in')
  expect(form.post('/sign-in')).toBe(first)
  expect(form.put('/elsewhere')).toBe(first)
  expect(await first).toEqual({ id: 7 })
  expect(server.log()).toEqual(['POST /sign-in'])
  const next = form.post('/sign-in')
  expect(next).not.toBe(first)
  await next
})

test('cancel ends the request in silence', async () => {
  let ended = false
  const heard: unknown[] = []
  const { server, form } = await signIn(
    (_request, response) => {
      response.on('close', () => (ended = true))
      return undefined
    },
    { onSuccess: (answer) => heard.push(answer) },
  )
  const pending = form.post('/sign-in')
  await expect.poll(() => server.arrived.length).toBe(1)
  form.cancel()
  expect(await pending).toBeUndefined()
  expect(form.processing).toBe(false)
  await expect.poll(() => ended).toBe(true)
  expect(heard).toEqual([])
})

test('a request that runs out of time is thrown: nobody asked for that', async () => {
  const { form } = await signIn(() => undefined)
  expect(isAborted(await failure(form.post('/sign-in', { timeout: 20 })))).toBe(true)
  expect(form.processing).toBe(false)
})

test('the end of a Vue scope ends the request', async () => {
  const server = await serve(() => undefined)
  const scope = effectScope()
  const form = scope.run(() => useForm({ a: 1 }, { client: createClient({ prefix: server.origin }) })) as Form<{ a: number }>
  const pending = form.post('/slow')
  await expect.poll(() => server.arrived.length).toBe(1)
  scope.stop()
  expect(await pending).toBeUndefined()
})

test('a success is recent for two seconds', async () => {
  const { form } = await signIn(() => ({ body: {} }))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await form.post('/profile')
  expect(form.recentlySuccessful).toBe(true)
  vi.advanceTimersByTime(1999)
  expect(form.recentlySuccessful).toBe(true)
  vi.advanceTimersByTime(1)
  expect(form.recentlySuccessful).toBe(false)
  await form.post('/profile')
  vi.advanceTimersByTime(1500)
  await form.post('/profile')
  vi.advanceTimersByTime(1500)
  expect(form.recentlySuccessful).toBe(true)
})

test('Vue sees every change', async () => {
  const { form } = await signIn(refused)
  const seen: unknown[] = []
  watchEffect(() => seen.push([form.processing, form.errors.email, form.data.email]), { flush: 'sync' })
  await form.post('/sign-in')
  form.data.email = 'x'
  expect(seen[0]).toEqual([false, undefined, 'a@b.c'])
  expect(seen).toContainEqual([true, undefined, 'a@b.c'])
  expect(seen.slice(-2)).toEqual([[false, 'First.', 'a@b.c'], [false, 'First.', 'x']])
})

describe('the Svelte store', () => {
  test('hands over the form now and after every change', async () => {
    const server = await serve(refused)
    const store = useSvelteForm({ email: '' }, { client: createClient({ prefix: server.origin }) })
    const seen: unknown[] = []
    let form!: Form<{ email: string }>
    const leave = store.subscribe((value) => {
      form = value
      seen.push([value.processing, value.errors.email, value.data.email])
    })
    form.data.email = 'x'
    store.set(form)
    await form.post('/sign-in')
    expect(seen[0]).toEqual([false, undefined, ''])
    expect(seen[1]).toEqual([false, undefined, 'x'])
    expect(seen).toContainEqual([true, undefined, 'x'])
    expect(seen.at(-1)).toEqual([false, 'First.', 'x'])
    const before = seen.length
    leave()
    form.fill({ email: 'y' })
    expect(seen).toHaveLength(before)
  })

  test('ends what is on its way when the last reader leaves', async () => {
    const server = await serve(() => undefined)
    const store = useSvelteForm({}, { client: createClient({ prefix: server.origin }) })
    let form!: Form<object>
    const leave = [store.subscribe((value) => (form = value)), store.subscribe(() => {})]
    const pending = form.post('/slow')
    await expect.poll(() => server.arrived.length).toBe(1)
    leave[0]!()
    leave[0]!()
    expect(form.processing).toBe(true)
    leave[1]!()
    expect(await pending).toBeUndefined()
  })
})
