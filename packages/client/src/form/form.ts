import { send } from '../default.js'
import { isInvalid } from '../errors/guards.js'
import type { Progress } from '../request/options.js'
import type { Form, FormErrors, FormMethod, FormOptions, SubmitOptions } from './types.js'
import { copy, same } from './values.js'

/** How long a success is recent, in milliseconds. */
const RECENT = 2000

/** How a framework learns of changes. */
export interface Binding {
  /** Makes the form something the framework watches. All changes go through what this returns. */
  watch: <T extends object>(form: T) => T
  /** Called after a change, for frameworks that do not watch. */
  changed: () => void
}

/** What the form looks like from inside. */
type State<Data> = {
  data: Data
  defaults: Data
  errors: FormErrors<Data>
  error: string | undefined
  processing: boolean
  progress: Progress | undefined
  recentlySuccessful: boolean
}

/** The form, without a framework. The adapters add how changes are seen and when it ends. */
export function createForm<Data extends object, Answer>(
  initial: Data,
  options: () => FormOptions<Data, Answer>,
  { watch, changed }: Binding,
): Form<Data, Answer> {
  let running: Promise<unknown> | undefined
  let end: AbortController | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  function set(change: Partial<State<Data>>): void {
    Object.assign(form, change)
    changed()
  }

  function recent(recentlySuccessful: boolean): void {
    clearTimeout(timer)
    if (recentlySuccessful) timer = setTimeout(recent, RECENT, false)
    set({ recentlySuccessful })
  }

  async function run<T>(method: FormMethod, path: string, { progress, ...more }: SubmitOptions): Promise<T | undefined> {
    const { signal } = (end = new AbortController())
    let answer: T
    let redirect: unknown
    try {
      const { client, token, transform } = options()
      const data = copy(form.data)
      const sent = await (client?.send ?? send)<T>(path, {
        ...more,
        method: method.toUpperCase() as Uppercase<FormMethod>,
        body: transform ? transform(data) : data,
        token: token?.(),
        signal,
        onProgress: progress ? (progress) => set({ progress }) : undefined,
        onRedirect: (to) => (redirect = to),
      })
      answer = sent.data
    } catch (error) {
      if (signal.aborted) return
      if (!isInvalid(error)) throw error
      const first = Object.entries(error.errors).map(([field, messages]) => [field, [messages].flat()[0]])
      // A refusal that names no field is about the form as a whole.
      set(first.length ? { errors: Object.fromEntries(first) } : { error: error.message })
      return
    } finally {
      running = undefined
      set({ processing: false, progress: undefined })
    }
    if (signal.aborted) return

    recent(true)
    // Read again: what was given with the last drawing counts.
    const { onSuccess, onRedirect } = options()
    redirect ??= (answer as { redirect?: unknown } | null)?.redirect
    await onSuccess?.(answer as unknown as Answer)
    if (typeof redirect == 'string') {
      if (onRedirect) await onRedirect(redirect)
      else console.warn(`${path} redirects to ${redirect}; nothing moves, because the form has no onRedirect`)
    }
    return answer
  }

  function submit<T>(method: FormMethod, path: string, more: SubmitOptions = {}): Promise<T | undefined> {
    if (!running) {
      recent(false)
      set({ errors: {}, error: undefined, processing: true })
      running = run(method, path, more)
    }
    return running as Promise<T | undefined>
  }

  const verb = (method: FormMethod) => (path: string, more?: SubmitOptions) => submit<never>(method, path, more)

  const form = watch<State<Data> & Form<Data, Answer>>({
    data: copy(initial),
    defaults: copy(initial),
    errors: {},
    error: undefined,
    processing: false,
    progress: undefined,
    recentlySuccessful: false,
    get isDirty() {
      return !same(this.data, this.defaults)
    },
    submit,
    post: verb('post'),
    put: verb('put'),
    patch: verb('patch'),
    delete: verb('delete'),
    cancel() {
      end?.abort()
      recent(false)
    },
    fill: (values) => set({ data: Object.assign(form.data, copy(values)) }),
    commit: () => set({ defaults: copy(form.data) }),
    reset(...fields) {
      form.fill(pick(form.defaults, fields))
      form.clearErrors(...fields)
    },
    clearErrors: (...fields) => set(fields.length ? { errors: omit(form.errors, fields) } : { errors: {}, error: undefined }),
  })
  return form
}

/** The named parts of a value, or all when none is named. */
function pick<T extends object>(value: T, names: string[]): Partial<T> {
  return names.length ? (Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name))) as Partial<T>) : value
}

/** A value without the named parts. */
function omit<T extends object>(value: T, names: string[]): T {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name))) as T
}
