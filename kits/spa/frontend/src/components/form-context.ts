import type { InjectionKey, Ref } from 'vue'

/** What a form tells the fields and buttons inside it. */
export interface FormContext {
  /** The first message per field. */
  errors: Readonly<Ref<Readonly<Record<string, string | undefined>>>>
  /** Whether it cannot be sent now: it is on its way, or there is time to wait. */
  locked: Readonly<Ref<boolean>>
  /** The id of a message that is about the form as a whole and names no field; else undefined. */
  doubt: Readonly<Ref<string | undefined>>
}

export const FORM: InjectionKey<FormContext> = Symbol('form')
