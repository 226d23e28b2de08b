import { beforeEach, expect, test, vi } from 'vitest'
import { createMemoryHistory, createRouter } from 'vue-router'
import { take } from '@/lib/left-notice'
import { askAgain, goTo, isLeaving, setNavigation } from '@/lib/navigate'
import { notice } from '@/lib/notice'

const page = { render: () => null }
const router = createRouter({ history: createMemoryHistory(), routes: [{ path: '/:path(.*)*', component: page, meta: { title: '' } }] })

beforeEach(async () => {
  setNavigation(router, (path) => path.startsWith('/settings'))
  notice.value = undefined
  isLeaving.value = false
  await router.push('/settings/profile')
})

test('within the document the router moves, and the next page says what was done', async () => {
  await goTo('/settings/password', 'Saved.')
  expect(router.currentRoute.value.path).toBe('/settings/password')
  expect(notice.value).toEqual({ text: 'Saved.', kind: 'success' })
})

test('back to the page one is on is no move', async () => {
  await router.push('/settings/profile?tab=2')
  const push = vi.spyOn(router, 'push')
  await goTo('/settings/profile', 'Saved.')
  expect(push).not.toHaveBeenCalled()
  expect(notice.value?.text).toBe('Saved.')
})

test('to another document the browser moves, and the words wait there, once', async () => {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined)
  const stayed = await Promise.race([goTo('/', 'You are signed out.').then(() => 'arrived'), new Promise((resolve) => setTimeout(resolve, 20, 'leaving'))])
  expect(assign).toHaveBeenCalledWith('/')
  expect([stayed, isLeaving.value], 'forms stay busy until the page is gone').toEqual(['leaving', true])
  expect([take(), take()]).toEqual(['You are signed out.', ''])
})

test('a page whose requests were all refused is asked for once', () => {
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined)
  void askAgain()
  void askAgain()
  expect(reload).toHaveBeenCalledTimes(1)
})

test('a whole address is not one of ours, whatever the document owns', async () => {
  setNavigation(router, () => true)
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined)
  void goTo('https://login.example.com/session/end')
  expect(assign).toHaveBeenCalledWith('https://login.example.com/session/end')
  expect(router.currentRoute.value.path).toBe('/settings/profile')
})
