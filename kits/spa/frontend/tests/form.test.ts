import { afterEach, expect, test, vi } from 'vitest'
import { defineComponent, nextTick } from 'vue'
import AppButton from '@/components/AppButton.vue'
import AppField from '@/components/AppField.vue'
import AppForm from '@/components/AppForm.vue'
import { useAppForm } from '@/composables/useAppForm'
import { signedOut } from '@/lib/signed-out'
import type { Done } from '@/types/done'
import { button, eventually, find, h, mount, type } from './support/mount'
import { closeServer, serve, type Answer } from './support/server'

afterEach(() => void (signedOut.value = ''))

/** A form with two fields that sends to /profile. */
function profile({ neutral = false, onDone }: { neutral?: boolean; onDone?: (answer: Done) => unknown } = {}) {
  const Page = defineComponent({
    setup() {
      const form = useAppForm({ name: '', email: '' }, onDone ?? (() => false))
      const field = (name: 'name' | 'email', label: string) =>
        h(AppField, { name, label, modelValue: form.data[name], 'onUpdate:modelValue': (text: string) => void (form.data[name] = text) })
      return () =>
        h(AppForm as unknown as string, { form, action: '/profile', fields: ['name', 'email'], neutral }, () => [field('name', 'Name'), field('email', 'E-mail'), h(AppButton, () => 'Save')])
    },
  })
  mount(() => h(Page))
  const input = (name: string) => find<HTMLInputElement>(`input[name="${name}"]`)
  type(input('name'), 'Ada')
  type(input('email'), 'ada')
  return { input, send: () => find<HTMLFormElement>('form').requestSubmit() }
}

const isLocked = () => button('Save').getAttribute('aria-disabled') === 'true'
const refused = (errors: Record<string, string[]>): Answer => ({ status: 422, body: { message: 'Refused', errors } })

test('a refused field says why, is tied to its message and has the focus', async () => {
  await serve({ 'POST /profile': refused({ email: ['This is no address.'] }) })
  const { input, send } = profile()
  send()
  await eventually(() => expect(input('email').getAttribute('aria-invalid')).toBe('true'))
  await eventually(() => expect(document.activeElement).toBe(input('email')))
  expect(find(`#${CSS.escape(input('email').getAttribute('aria-describedby')!)}`).textContent).toContain('This is no address.')
  expect(document.querySelector('[role="alert"]'), 'one message needs no list').toBeNull()
  expect([input('name').value, input('email').value]).toEqual(['Ada', 'ada'])
  expect(isLocked()).toBe(false)
})

test('several messages are listed, and each leads to its field', async () => {
  await serve({ 'POST /profile': refused({ email: ['This is no address.'], name: ['Too short.'] }) })
  const { input, send } = profile()
  send()
  await eventually(() => expect(find('[role="alert"] li').textContent, 'in the order of the fields').toContain('Too short.'))
  await eventually(() => expect(document.activeElement).toBe(input('name')))
  button('This is no address.').click()
  expect(document.activeElement).toBe(input('email'))
})

test('a message without a field is not lost', async () => {
  await serve({ 'POST /profile': refused({ token: ['This link is spent.'] }) })
  profile().send()
  await eventually(() => expect(find('[role="alert"]').textContent).toContain('This link is spent.'))
})

test('a refusal of the whole form is said above its fields, until the next try', async () => {
  const answers: Answer[] = [{ status: 422, body: { message: 'This cannot be changed now.' } }, { body: {} }]
  const asked = await serve({ 'POST /profile': () => answers.shift() ?? { body: {} } })
  const { input, send } = profile()
  send()
  await eventually(() => expect(find('[role="alert"]').textContent).toContain('This cannot be changed now.'))
  expect([input('name').value, input('email').value]).toEqual(['Ada', 'ada'])
  expect(isLocked()).toBe(false)
  send()
  await eventually(() => expect(asked.length).toBe(2))
  await eventually(() => expect(document.querySelector('[role="alert"]')).toBeNull())
})

test('a sign-in does not tell which half was wrong', async () => {
  await serve({ 'POST /profile': refused({ email: ['These do not match.'] }) })
  const { input, send } = profile({ neutral: true })
  send()
  await eventually(() => expect(find('[role="alert"]').textContent).toContain('These do not match.'))
  expect([input('name'), input('email')].map((field) => field.getAttribute('aria-invalid'))).toEqual(['true', 'true'])
})

test('a second submit is ignored while the first is on its way', async () => {
  let answer!: (answer: Answer) => void
  const asked = await serve({ 'POST /profile': () => new Promise<Answer>((resolve) => (answer = resolve)) })
  const onDone = vi.fn(() => false)
  const { send } = profile({ onDone })
  send()
  await eventually(() => expect(asked.length).toBe(1))
  expect(isLocked()).toBe(true)
  send()
  button('Save').click()
  answer({ body: { status: 'Saved.' } })
  await eventually(() => expect(onDone).toHaveBeenCalledTimes(1))
  await eventually(() => expect(isLocked()).toBe(false))
  expect(asked.length).toBe(1)
})

test('it can be sent again as soon as the answer is there, not only when the page has caught up', async () => {
  const asked = await serve({ 'POST /profile': { body: {} } })
  const { send } = profile({ onDone: () => new Promise(() => {}) })
  send()
  await eventually(() => expect(asked.length).toBe(1))
  await eventually(() => expect(isLocked()).toBe(false))
  send()
  await eventually(() => expect(asked.length).toBe(2))
})

test('too many attempts show the time to wait, then the form can be sent again', async () => {
  const asked = await serve({ 'POST /profile': { status: 429, headers: { 'retry-after': '1' }, body: { message: 'Too many' } } })
  const { send } = profile()
  send()
  await eventually(() => expect(find('[role="alert"]').textContent).toContain('Try again in one second.'))
  expect(isLocked()).toBe(true)
  send()
  await eventually(() => expect(isLocked()).toBe(false))
  expect(document.querySelector('[role="alert"]')).toBeNull()
  expect(asked.length).toBe(1)
})

test('without a network it says so and keeps what was typed', async () => {
  await serve({})
  await closeServer()
  const { input, send } = profile()
  send()
  await eventually(() => expect(find('[role="alert"]').textContent).toContain('We cannot be reached'))
  expect(input('name').value).toBe('Ada')
})

test('an error page of HTML is a sentence', async () => {
  await serve({ 'POST /profile': { status: 502, body: '<html><h1>Bad gateway</h1></html>' } })
  profile().send()
  await eventually(() => expect(find('[role="alert"]').textContent).toContain('The lights went out on our side.'))
})

test('a session that was ended elsewhere leaves what was typed', async () => {
  await serve({ 'POST /profile': { status: 401, body: { message: 'Unauthenticated' } } })
  const { input, send } = profile()
  send()
  await eventually(() => expect(signedOut.value).toBe('Unauthenticated'))
  await nextTick()
  expect([input('name').value, input('email').value]).toEqual(['Ada', 'ada'])
  expect(isLocked()).toBe(false)
})

test('a token that is too old is renewed, and the form goes again by itself', async () => {
  let token = 'old'
  const asked = await serve({
    'POST /profile': ({ headers }) => (headers['x-csrf-token'] === 'new' ? { body: {} } : { status: 419, body: { message: 'Expired' } }),
    'GET /api/session': () => ({ body: { csrf: (token = 'new') } }),
  })
  const onDone = vi.fn(() => false)
  profile({ onDone }).send()
  await eventually(() => expect(onDone).toHaveBeenCalledTimes(1))
  expect(asked.map(({ path }) => path)).toEqual(['/profile', '/api/session', '/profile'])
  expect(token).toBe('new')
})
