import { computed, inject, useId } from 'vue'
import { FORM } from '@/components/form-context'

/** What a field of a form says about itself: its id, what was wrong with it, and the ids of what explains it. */
export function useField(props: { name: string; hint?: string | undefined }) {
  const form = inject(FORM, undefined)
  const id = useId()
  const error = computed(() => {
    const errors = form?.errors.value ?? {}
    // What is wrong with one of several files is said of `papers.2`.
    const one = Object.keys(errors).find((name) => name === props.name || name.startsWith(`${props.name}.`))
    return one && errors[one]
  })
  const doubt = computed(() => form?.doubt.value)
  const isInvalid = computed(() => !!(error.value || doubt.value) || undefined)
  const describedBy = computed(
    () => [props.hint && `${id}-hint`, error.value && `${id}-error`, doubt.value].filter(Boolean).join(' ') || undefined,
  )
  return { id, error, isInvalid, describedBy }
}
