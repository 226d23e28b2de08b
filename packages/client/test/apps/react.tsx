// The form of the adapter tests, in React, under StrictMode and with a memoised child.

import { useForm, type Form } from '@housekey/client/react'
import { memo, StrictMode, type FormEvent } from 'react'
import { createRoot } from 'react-dom/client'

interface Data {
  name: string
  nested: { tags: string[] }
}

function Profile() {
  const form = useForm<Data>({ name: 'Ada', nested: { tags: ['a'] } }, { onRedirect: (to) => void (document.title = to) })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    form.patch('/profile').catch((error: Error) => (document.title = error.name))
  }
  return (
    <form onSubmit={submit}>
      <input id="name" value={form.data.name} onChange={(event) => form.fill({ name: event.target.value })} />
      <button id="tag" type="button" onClick={() => form.fill({ nested: { tags: [...form.data.nested.tags, 'b'] } })} />
      <button id="reset" type="button" onClick={() => form.reset()} />
      <button id="commit" type="button" onClick={() => form.commit()} />
      <button id="save" disabled={form.processing} />
      <p id="error">{form.errors.name}</p>
      <p id="whole">{form.error}</p>
      <State form={form} />
    </form>
  )
}

const State = memo(function State({ form }: { form: Form<Data> }) {
  return <p id="state">{[form.processing && 'processing', form.isDirty && 'dirty', form.recentlySuccessful && 'recent'].filter(Boolean).join(' ')}</p>
})

const root = createRoot(document.getElementById('app')!)
root.render(
  <StrictMode>
    <Profile />
  </StrictMode>,
)
Object.assign(globalThis, { unmount: () => root.unmount() })
