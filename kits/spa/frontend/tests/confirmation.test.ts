import { configure } from '@housekey/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { defineComponent } from 'vue'
import AppButton from '@/components/AppButton.vue'
import AppField from '@/components/AppField.vue'
import AppForm from '@/components/AppForm.vue'
import ConfirmPasswordDialog from '@/components/ConfirmPasswordDialog.vue'
import { useAppForm } from '@/composables/useAppForm'
import { askPassword, question } from '@/lib/confirmation'
import { button, eventually, find, h, mount, type } from './support/mount'
import { serve, type Answer } from './support/server'

const refused: Answer = { status: 423, body: { message: 'Confirm your password', code: 'password_confirmation_required' } }

beforeEach(() => configure({ onConfirm: askPassword }))
// A question that stays open would be the next test's too.
afterEach(() => question.value?.(false))

/** Two forms whose actions want the password, and the dialog. */
function page(onDone: (which: string) => void) {
  const Guarded = defineComponent({
    props: { to: { type: String, required: true } },
    setup({ to }) {
      const form = useAppForm({ name: '' }, () => {
        onDone(to)
        return false
      })
      return () =>
        h(AppForm as unknown as string, { form, action: to, fields: ['name'] }, () => [
          h(AppField, { name: 'name', label: 'Name', modelValue: form.data.name, 'onUpdate:modelValue': (text: string) => void (form.data.name = text) }),
          h(AppButton, () => 'Save'),
        ])
    },
  })
  mount(() => [h(Guarded, { to: '/first' }), h(Guarded, { to: '/second' }), h(ConfirmPasswordDialog)])
  const [first, second] = document.querySelectorAll<HTMLFormElement>('form')
  const names = [...document.querySelectorAll<HTMLInputElement>('input[name="name"]')]
  names.forEach((field, at) => type(field, `Ada ${at}`))
  return { first: first!, second: second!, names }
}

const dialog = () => find<HTMLDialogElement>('dialog')

/** A server that wants the password `right` before anything else. */
function guarded() {
  let confirmed = false
  const action = () => (confirmed ? { body: { status: 'Saved.' } } : refused)
  return serve({
    'POST /first': action,
    'POST /second': action,
    'POST /confirm-password': ({ body }) => {
      confirmed = (body as { password: string }).password === 'right'
      return confirmed ? { body: { confirmed } } : { status: 422, body: { message: 'No', errors: { password: ['That is not your password.'] } } }
    },
  })
}

// spec: KIT-8
test('actions that are refused together ask once, and each is done once', async () => {
  const asked = await guarded()
  const done: string[] = []
  const { first, second } = page((which) => done.push(which))
  first.requestSubmit()
  second.requestSubmit()
  await eventually(() => expect(dialog().open).toBe(true))
  await eventually(() => expect(asked.length).toBe(2))

  type(find<HTMLInputElement>('dialog input[type="password"]'), 'right')
  button('Go on').click()
  await eventually(() => expect(done.sort()).toEqual(['/first', '/second']))
  expect(dialog().open).toBe(false)
  const count = (path: string) => asked.filter((each) => each.path === path).length
  expect([count('/first'), count('/second'), count('/confirm-password')]).toEqual([2, 2, 1])
  expect(asked.find(({ path }) => path === '/confirm-password')?.body).toEqual({ password: 'right' })
})

test('a wrong password is said in the dialog, which stays', async () => {
  const asked = await guarded()
  const done: string[] = []
  page((which) => done.push(which)).first.requestSubmit()
  await eventually(() => expect(dialog().open).toBe(true))
  type(find<HTMLInputElement>('dialog input[type="password"]'), 'wrong')
  button('Go on').click()
  await eventually(() => expect(dialog().textContent).toContain('That is not your password.'))
  expect([dialog().open, done, asked.filter(({ path }) => path === '/first').length]).toEqual([true, [], 1])
})

test('a dialog that is closed leaves the request refused and the form as it was', async () => {
  const asked = await guarded()
  const done: string[] = []
  const { first, names } = page((which) => done.push(which))
  first.requestSubmit()
  await eventually(() => expect(dialog().open).toBe(true))
  type(find<HTMLInputElement>('dialog input[type="password"]'), 'right')
  button('Not now').click()
  await eventually(() => expect(dialog().open).toBe(false))
  await eventually(() => expect(first.getAttribute('aria-busy')).toBe('false'))
  expect([done, asked.map(({ path }) => path)]).toEqual([[], ['/first']])
  expect(names.map(({ value }) => value)).toEqual(['Ada 0', 'Ada 1'])
  expect(document.querySelector('[role="alert"]'), 'no news to who closed it').toBeNull()

  // And the next time it asks again, with an empty field.
  first.requestSubmit()
  await eventually(() => expect(dialog().open).toBe(true))
  expect(find<HTMLInputElement>('dialog input[type="password"]').value).toBe('')
})
