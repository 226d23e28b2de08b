/**
 * The form helper for React.
 *
 * @module
 */

import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { createForm } from './form/form.js'
import type { Form, FormOptions } from './form/types.js'

export type { Form, FormErrors, FormMethod, FormOptions, Submit, SubmitOptions } from './form/types.js'

/**
 * A form that draws the component again when it changes. Values are set with `form.fill({ email })`, and what it returns
 * is a new object after every change, so memoised children see it.
 *
 * What is on its way is cancelled when the component is unmounted.
 *
 * ```ts
 * const form = useForm({ email: '', password: '' }, { onRedirect: (to) => location.assign(to) })
 * ```
 */
export function useForm<Data extends object, Answer = unknown>(
  initial: Data,
  options: FormOptions<Data, Answer> = {},
): Form<Data, Answer> {
  const latest = useRef(options)
  useEffect(() => void (latest.current = options))
  const [store] = useState(() => snapshots(initial, () => latest.current))
  useEffect(() => store.cancel, [store])
  return useSyncExternalStore(store.subscribe, store.snapshot, store.snapshot)
}

/** A form as React wants a store to be: something to subscribe to, and a picture that is replaced, never changed. */
function snapshots<Data extends object, Answer>(initial: Data, options: () => FormOptions<Data, Answer>) {
  const readers = new Set<() => void>()
  const form = createForm(initial, options, {
    watch: (form) => form,
    changed() {
      picture = draw()
      readers.forEach((read) => read())
    },
  })
  const draw = (): Form<Data, Answer> => ({ ...form, data: { ...form.data } })
  let picture = draw()
  return {
    cancel: form.cancel,
    snapshot: () => picture,
    subscribe(read: () => void) {
      readers.add(read)
      return () => void readers.delete(read)
    },
  }
}
