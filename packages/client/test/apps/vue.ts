// The form of the adapter tests, in Vue.

import { useForm } from '@housekey/client/vue'
import { createApp, defineComponent, h } from 'vue'

const Profile = defineComponent(() => {
  const form = useForm({ name: 'Ada', nested: { tags: ['a'] } }, { onRedirect: (to) => void (document.title = to) })
  const submit = (event: Event) => {
    event.preventDefault()
    form.patch('/profile').catch((error: Error) => (document.title = error.name))
  }
  return () =>
    h('form', { onSubmit: submit }, [
      h('input', { id: 'name', value: form.data.name, onInput: (event: Event) => (form.data.name = (event.target as HTMLInputElement).value) }),
      h('button', { id: 'tag', type: 'button', onClick: () => form.data.nested.tags.push('b') }),
      h('button', { id: 'reset', type: 'button', onClick: () => form.reset() }),
      h('button', { id: 'commit', type: 'button', onClick: () => form.commit() }),
      h('button', { id: 'save', disabled: form.processing }),
      h('p', { id: 'error' }, form.errors.name),
      h('p', { id: 'whole' }, form.error),
      h('p', { id: 'state' }, [form.processing && 'processing', form.isDirty && 'dirty', form.recentlySuccessful && 'recent'].filter(Boolean).join(' ')),
    ])
})

const app = createApp(Profile)
app.mount('#app')
Object.assign(globalThis, { unmount: () => app.unmount() })
