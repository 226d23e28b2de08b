import { http, isOffline, isUnauthenticated, type AnswerOf, type PathOf, type Routes } from '@housekey/client'
import { onScopeDispose, ref, shallowRef } from 'vue'
import { explain } from '@/lib/failure'
import { askAgain } from '@/lib/navigate'

/** What the server answers at a path below `/api`, by types/routes.gen.ts. */
type Loaded<Path extends PathOf<Routes, 'GET'>> = AnswerOf<Routes[`GET ${Path}`]>

/** What a page shows, asked for when it opens and again by `reload`. What is there stays until the new one has come. */
export function useLoad<Path extends PathOf<Routes, 'GET'>>(path: Path) {
  const data = shallowRef<Loaded<Path>>()
  const failure = ref('')
  const leaving = new AbortController()

  async function reload(): Promise<void> {
    failure.value = ''
    try {
      data.value = await http.get<Loaded<Path>>(path as string, { signal: leaving.signal })
    } catch (error) {
      // Nothing was typed yet, so nothing is lost: to the door.
      if (isUnauthenticated(error)) await askAgain()
      else failure.value = isOffline(error) ? 'We cannot be reached. Check your connection and try again.' : explain(error)
    }
  }

  onScopeDispose(() => leaving.abort())
  void reload()
  return { data, failure, reload }
}
