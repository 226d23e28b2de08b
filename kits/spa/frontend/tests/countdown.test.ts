import { effectScope } from 'vue'
import { beforeEach, expect, test, vi } from 'vitest'
import { useCountdown } from '@/composables/useCountdown'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))

test('seconds run down to zero and stay there', () => {
  const { left, clock, start } = effectScope().run(useCountdown)!
  start(61)
  expect([left.value, clock.value]).toEqual([61, '1:01'])
  vi.advanceTimersByTime(2000)
  expect([left.value, clock.value]).toEqual([59, '0:59'])
  vi.advanceTimersByTime(120_000)
  expect(left.value).toBe(0)
})

test('a tab that slept shows what is really left', () => {
  const { left, start } = effectScope().run(useCountdown)!
  start(60)
  // Timers did not run for half a minute, the clock did.
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 30_000)
  vi.advanceTimersByTime(250)
  expect(left.value).toBe(30)
})

test('a second refusal begins anew', () => {
  const { left, start } = effectScope().run(useCountdown)!
  start(5)
  start(60)
  vi.advanceTimersByTime(10_000)
  expect(left.value).toBe(50)
})

test('it ends with its page', () => {
  const scope = effectScope()
  const { left, start } = scope.run(useCountdown)!
  start(60)
  scope.stop()
  vi.advanceTimersByTime(10_000)
  expect(left.value).toBe(60)
})
