// Compiled, never run, beside the files that the app of tests/client-server writes from its Rust: what they allow and what
// they refuse. A line after `@ts-expect-error` that is allowed fails the compilation.

import { http, type ErrorOf, type Expired, type Invalid, type PageRoutes, type Routes, type Throttled } from '@housekey/client'
import { useForm } from '@housekey/client/vue'
import type { Found, Password, Session } from './types/api.gen.js'

function same<A>() {
  return <B>(_: [A] extends [B] ? ([B] extends [A] ? B : never) : never): void => {}
}

export async function answers(): Promise<void> {
  const session = await http.get('/session')
  same<Session>()<Session>(session)
  same<{ name: string } | null>()<{ name: string } | null>(session.user)
  same<{ removed: string }>()<{ removed: string }>(await http.delete('/things/{id}', { params: { id: 'a' } }))
  same<Found>()<Found>(await http.get('/search', { query: { ids: [1, 2] } }))
  same<number | null>()<number | null>((await http.get('/search', { query: { ids: [], page: 2 } })).page)
  same<unknown>()<unknown>(await http.post('/empty'))

  // @ts-expect-error a user may be absent
  void session.user.name
  // @ts-expect-error the parameters are required
  await http.delete('/things/{id}')
  // @ts-expect-error the query is required
  await http.get('/search')
  // @ts-expect-error an id is a number
  await http.get('/search', { query: { ids: ['one'] } })
  // @ts-expect-error the route takes no body
  await http.post('/empty', { body: {} })
}

export async function writes(): Promise<void> {
  const changed = await http.put('/settings/password', { prefix: '', body: { password: 'a', password_confirmation: 'a' } })
  same<string>()<string>(changed.redirect)
  same<string | undefined>()<string | undefined>(changed.status)
  same<unknown>()<unknown>(changed['recovery_codes'])
  await http.put('/settings/password', {
    prefix: '',
    body: { password: 'a', password_confirmation: 'a', sign_out_others: true, hint: null },
  })
  same<string>()<string>((await http.post('/sign-in', { prefix: '' })).redirect)

  const form = useForm<Password>({ password: '', password_confirmation: '' })
  same<string | undefined>()<string | undefined>((await form.put('/settings/password', { prefix: '' }))?.redirect)

  // @ts-expect-error it is to be typed twice
  await http.put('/settings/password', { prefix: '', body: { password: 'a' } })
  // @ts-expect-error a field has the wrong type
  await http.patch('/profile', { body: { name: 'a', email: 7 } })
  // @ts-expect-error the address is not below /api
  await http.put('/settings/password', { body: { password: 'a', password_confirmation: 'a' } })
}

export function errors(
  error: ErrorOf<PageRoutes['PUT /settings/password']>,
  refused: Extract<ErrorOf<Routes['PATCH /profile']>, { name: 'Invalid' }>,
): void {
  type Field = 'password' | 'password_confirmation' | 'sign_out_others' | 'hint'
  same<Expired | Throttled | Invalid<Field>>()<typeof error>(error)
  same<string[] | undefined>()<string[] | undefined>(refused.errors.email)
  // @ts-expect-error the form has no such field
  void refused.errors.age
}
