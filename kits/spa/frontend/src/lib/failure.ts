// What to say when a request failed and no field of a form is to blame.

import { isAborted, isExpired, isOffline, isRequestError, needsPasswordConfirmation } from '@housekey/client'

/** A sentence for a failure; empty when the person knows already. */
export function explain(error: unknown): string {
  // The dialog was closed, or the page was left: no news to who did it.
  if (needsPasswordConfirmation(error) || (isAborted(error) && !error.timedOut)) return ''
  if (isOffline(error)) return 'We cannot be reached. Check your connection; what you typed is still here.'
  if (isExpired(error)) return 'This page was open too long. Reload it and try once more.'
  if (!isRequestError(error)) throw error
  // A 503 in words is written for people: something that we depend on is away.
  const isFault = error.code === 'not_json' || (error.status >= 500 && error.status !== 503)
  const text = isFault ? 'The lights went out on our side. Nothing was changed.' : error.message
  return error.requestId ? `${text} (Request ${error.requestId})` : text
}
