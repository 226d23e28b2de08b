import { beforeEach, expect, test, vi } from 'vitest'

const root = document.documentElement.classList

beforeEach(() => {
  root.remove('light', 'dark')
  vi.resetModules()
})
const load = () => import('@/lib/theme')

test('without a choice the system decides', async () => {
  const { theme } = await load()
  expect(theme.value).toBe('system')
  expect(root.length).toBe(0)
})

test('what the script in the head found is the choice', async () => {
  root.add('dark')
  expect((await load()).theme.value).toBe('dark')
})

test('a choice is shown at once and kept under the key of that script', async () => {
  const { choose, theme } = await load()
  choose('dark')
  expect([theme.value, root.contains('dark'), localStorage.getItem('theme')]).toEqual(['dark', true, 'dark'])
  choose('light')
  expect([root.contains('dark'), root.contains('light'), localStorage.getItem('theme')]).toEqual([false, true, 'light'])
  choose('system')
  expect([root.length, localStorage.getItem('theme')]).toEqual([0, null])
})

test('what is chosen in another tab holds in this one, and nonsense does not', async () => {
  const { theme } = await load()
  const other = (newValue: string | null) => dispatchEvent(new StorageEvent('storage', { key: 'theme', newValue }))
  other('dark')
  expect([theme.value, root.contains('dark')]).toEqual(['dark', true])
  other('"><script>')
  expect(theme.value).toBe('system')
})

test('a browser that keeps nothing still shows the choice', async () => {
  const { choose } = await load()
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('', 'QuotaExceededError')
  })
  choose('dark')
  expect(root.contains('dark')).toBe(true)
})
