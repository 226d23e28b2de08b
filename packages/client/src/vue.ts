/**
 * The form helper for Vue.
 *
 * @module
 */

import { getCurrentScope, onScopeDispose, reactive } from 'vue'
import { createForm } from './form/form.js'
import type { Form, FormOptions } from './form/types.js'

export type { Form, FormErrors, FormMethod, FormOptions, Submit, SubmitOptions } from './form/types.js'

/**
 * A reactive form: `v-model="form.data.email"`, `form.errors.email`, `@submit.prevent="form.post('/sign-in')"`.
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
  const watch = <T extends object>(form: T) => reactive(form) as T
  const form = createForm(initial, () => options, { watch, changed() {} })
  if (getCurrentScope()) onScopeDispose(form.cancel)
  return form
}
