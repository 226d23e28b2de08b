import { http, isAborted, isOffline, isUnauthenticated } from '@housekey/client'
import { computed, onScopeDispose, ref, shallowRef, watch } from 'vue'
import { useRoute, useRouter } from 'vue-router'
import { explain } from '@/lib/failure'
import { askAgain } from '@/lib/navigate'
import type { MembersAnswer } from '@/types/api.gen'

/** Milliseconds without a key before a search is sent. */
const PAUSE = 250

/**
 * The members of the organization, a page at a time. What is searched for and which page is open stand in the address, so
 * that they are still there after a reload and with the back button.
 */
export function useMemberPages() {
  const route = useRoute()
  const router = useRouter()
  const path = route.path
  const data = shallowRef<MembersAnswer>()
  const failure = ref('')
  const search = ref(String(route.query['search'] ?? ''))
  const page = computed(() => Math.max(1, Math.floor(Number(route.query['page'])) || 1))
  const asked = computed(() => ({ search: String(route.query['search'] ?? ''), page: page.value }))
  let loading: AbortController | undefined
  let pause: ReturnType<typeof setTimeout> | undefined

  async function reload(): Promise<void> {
    // What was asked for before must not arrive after what is asked for now.
    loading?.abort()
    const { signal } = (loading = new AbortController())
    failure.value = ''
    try {
      data.value = await http.get('/settings/organization/members', { query: asked.value, signal })
    } catch (error) {
      if (isAborted(error) && signal.aborted) return
      if (isUnauthenticated(error)) await askAgain()
      else failure.value = isOffline(error) ? 'We cannot be reached. Check your connection and try again.' : explain(error)
    }
  }

  watch(search, (text) => {
    clearTimeout(pause)
    pause = setTimeout(() => void router.replace({ path, query: text.trim() ? { search: text.trim() } : {} }), PAUSE)
  })
  watch(
    () => [route.path, asked.value.search, asked.value.page] as const,
    ([at]) => {
      if (at !== path) return
      // By the back button: the field shows what the list does.
      if (asked.value.search !== search.value.trim()) search.value = asked.value.search
      void reload()
    },
  )
  onScopeDispose(() => {
    clearTimeout(pause)
    loading?.abort()
  })

  /** Where a page of what is searched for now is. */
  function addressOf(number: number): string {
    const { search: text } = asked.value
    return router.resolve({ path, query: { ...(text && { search: text }), ...(number > 1 && { page: String(number) }) } }).fullPath
  }

  void reload()
  return { data, failure, reload, search, asked, addressOf }
}
