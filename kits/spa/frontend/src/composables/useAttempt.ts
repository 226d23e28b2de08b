import { isThrottled, isUnauthenticated } from '@housekey/client'
import { ref } from 'vue'
import { explain } from '@/lib/failure'
import { signedOut } from '@/lib/signed-out'
import { useCountdown } from './useCountdown'

/** Tries something with the server, and keeps what to say when it fails. */
export function useAttempt() {
  const failure = ref('')
  const wait = useCountdown()

  async function attempt<T>(task: () => Promise<T>): Promise<T | undefined> {
    failure.value = ''
    try {
      return await task()
    } catch (error) {
      if (isThrottled(error)) wait.start(error.retryAfter || 60)
      else if (isUnauthenticated(error)) signedOut.value = error.message
      else failure.value = explain(error)
      return undefined
    }
  }

  return { attempt, failure, wait }
}
