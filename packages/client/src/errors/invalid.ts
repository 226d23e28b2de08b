import { RequestError, type Facts } from './request-error.js'

/** 422: what was sent is not acceptable. */
export class Invalid<Field extends string = string> extends RequestError {
  override readonly name = 'Invalid'
  /** The messages by field. Empty when the server named no field. */
  readonly errors: Partial<Record<Field, string[]>>

  constructor(message: string, facts: Facts) {
    super(message, facts)
    this.errors = (facts.data as { errors?: Partial<Record<Field, string[]>> } | null)?.errors ?? {}
  }
}
