import type { ClientError } from '@housekey/client'

/** The error that a promise ends with. */
export async function failure<E = ClientError>(promise: Promise<unknown>): Promise<E> {
  const answered = await promise.then(
    (answer) => ({ answer }),
    (error: unknown) => ({ error }),
  )
  if ('error' in answered) return answered.error as E
  throw new Error(`it succeeded with ${JSON.stringify(answered.answer)}`)
}
