// Compiled, never run: the forms' types, the same in every adapter.

import type { NeedsPasswordConfirmation } from '@housekey/client'
import { configure, isInvalid, isThrottled } from '@housekey/client'
import { useForm as useReactForm } from '@housekey/client/react'
import { useForm as useSvelteForm } from '@housekey/client/svelte'
import { useForm } from '@housekey/client/vue'

interface Saved {
  id: number
}

export async function forms(): Promise<void> {
  const form = useForm({ email: '', remember: false })
  form.data.email = 'a@b.c'
  const message: string | undefined = form.errors.email ?? form.errors['address.city']
  form.reset('email')
  form.clearErrors('email', 'address.city')
  form.fill({ remember: true })
  void message

  // @ts-expect-error a field has the wrong type
  form.data.remember = 'yes'
  // @ts-expect-error there is no such field
  form.reset('name')
  // @ts-expect-error there is no such field
  form.fill({ name: '' })
  // @ts-expect-error the form says so itself
  form.processing = true
  // @ts-expect-error a form writes
  await form.submit('get', '/x')

  const saved: Saved | undefined = await form.post<Saved>('/x')
  const typed = useReactForm<{ name: string }, Saved>({ name: '' }, { onSuccess: (answer) => answer.id })
  const again: Saved | undefined = await typed.put('/x', { timeout: 5000, progress: true })
  useSvelteForm({ name: '' }).subscribe((value) => value.data.name.trim())
  void [saved, again]
}

export async function listedRoutes(): Promise<void> {
  const form = useForm({ name: '' })
  const saved: { redirect: string } | undefined = await form.post('/settings/profile', { prefix: '' })
  const profile: { name: string; email: string } | undefined = await form.patch('/settings/profile')
  await form.delete('/settings/passkeys/{id}', { prefix: '', params: { id: 'x' } })
  void [saved, profile]

  // @ts-expect-error the path is not below /api
  await form.post('/settings/profile')
  // @ts-expect-error the parameters are required
  await form.delete('/settings/passkeys/{id}', { prefix: '' })
  // @ts-expect-error the answer is another
  const wrong: { id: number } | undefined = await form.post('/settings/profile', { prefix: '' })
  void wrong
}

export function guards(error: unknown): void {
  if (isThrottled(error)) error.retryAfter.toFixed()
  if (isInvalid(error)) void error.errors['anything']?.[0]
  configure({ onConfirm: async (refusal: NeedsPasswordConfirmation) => refusal.status === 423 })
  // @ts-expect-error the answer is yes or no
  configure({ onConfirm: async () => 'yes' })
}
