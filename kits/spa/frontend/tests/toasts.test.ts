import { beforeEach, expect, test, vi } from 'vitest'
import { nextTick } from 'vue'
import ToastList from '@/components/ToastList.vue'
import { toast, toasts } from '@/lib/toasts'
import { find, h, mount } from './support/mount'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  toasts.splice(0)
})

test('good news goes by itself, bad news stays', () => {
  toast('Saved.')
  toast('That did not work.', 'danger')
  vi.advanceTimersByTime(60_000)
  expect(toasts.map(({ text }) => text)).toEqual(['That did not work.'])
})

test('at most three are there, the newest', () => {
  for (const text of ['1', '2', '3', '4']) toast(text, 'danger')
  expect(toasts.map(({ text }) => text)).toEqual(['2', '3', '4'])
})

test('what is said again stands there once, as the newest', () => {
  for (const text of ['No network.', 'Not saved.', 'No network.']) toast(text, 'danger')
  expect(toasts.map(({ text }) => text)).toEqual(['Not saved.', 'No network.'])
})

test('they are read out, and can be closed', async () => {
  mount(() => h(ToastList))
  expect(find('[aria-live="polite"]').textContent).toBe('')
  toast('That did not work.', 'danger')
  await nextTick()
  expect(find('[role="alert"]').textContent).toContain('That did not work.')
  find('button[aria-label="Close"]').click()
  await nextTick()
  expect(toasts).toEqual([])
})
