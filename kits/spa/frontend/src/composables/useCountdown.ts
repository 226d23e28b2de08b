import { computed, onScopeDispose, ref } from 'vue'

/** Seconds that run down to zero: the time to wait after too many attempts. */
export function useCountdown() {
  const left = ref(0)
  let timer: ReturnType<typeof setTimeout> | undefined

  function start(seconds: number): void {
    clearTimeout(timer)
    // By the clock, not by ticks: a tab in the background ticks rarely.
    const end = performance.now() + seconds * 1000
    const tick = (): void => {
      left.value = Math.max(0, Math.ceil((end - performance.now()) / 1000))
      if (left.value > 0) timer = setTimeout(tick, 250)
    }
    tick()
  }

  onScopeDispose(() => clearTimeout(timer))
  const clock = computed(() => `${Math.floor(left.value / 60)}:${String(left.value % 60).padStart(2, '0')}`)
  return { left, clock, start }
}
