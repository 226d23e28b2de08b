import { Expired } from '../errors/expired.js'
import { Invalid } from '../errors/invalid.js'
import { NeedsPasswordConfirmation } from '../errors/needs-password-confirmation.js'
import { NotFound } from '../errors/not-found.js'
import { RequestError } from '../errors/request-error.js'
import { Throttled } from '../errors/throttled.js'
import { Unauthenticated } from '../errors/unauthenticated.js'
import type { Answer } from './options.js'
import { ownPath } from './origin.js'
import type { Incoming } from './transport.js'

/** Statuses with an error class of their own. */
const CLASSES: Record<number, typeof RequestError> = {
  401: Unauthenticated,
  404: NotFound,
  419: Expired,
  422: Invalid,
  423: NeedsPasswordConfirmation,
  429: Throttled,
}

/** What the server says about an error, as far as it says anything. */
interface Said {
  message?: string
  code?: string
  requestId?: string
}

/** Reads an answer. Throws when it says that the request failed, or when it is a page and no JSON. */
export function read<T>({ status, headers, text, redirect }: Incoming, what: string, onRedirect?: (to: string) => void): Answer<T> {
  let data: unknown = {}
  let isJson = true
  try {
    if (text) data = JSON.parse(text)
  } catch {
    // After a redirect the page is what was asked for; the caller is told where it is.
    isJson = !!redirect
  }
  if (status < 400 && isJson) {
    if (redirect) onRedirect?.(ownPath(redirect) ?? redirect)
    return { data: data as T, status, headers }
  }

  const said = (data ?? {}) as Said
  const instead = isJson ? '' : ` with ${headers.get('content-type')} instead of JSON`
  const message = said.message || `${what} was answered ${status}${instead}`
  throw new (CLASSES[status] ?? RequestError)(message, {
    status,
    code: isJson ? said.code : 'not_json',
    requestId: said.requestId ?? headers.get('x-request-id') ?? undefined,
    data,
    headers,
  })
}
