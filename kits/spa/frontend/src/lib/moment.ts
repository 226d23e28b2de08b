const relative = new Intl.RelativeTimeFormat(document.documentElement.lang || 'en', { numeric: 'auto' })
const date = new Intl.DateTimeFormat(document.documentElement.lang || 'en', { dateStyle: 'long' })

/** A moment in words: "now", "5 minutes ago", "4 May 2026". */
export function words(iso: string, now = Date.now()): string {
  const at = Date.parse(iso)
  const minutes = Math.floor((now - at) / 60_000)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return relative.format(-minutes, 'minute')
  if (minutes < 60 * 24) return relative.format(-Math.floor(minutes / 60), 'hour')
  if (minutes < 60 * 24 * 14) return relative.format(-Math.floor(minutes / 60 / 24), 'day')
  return date.format(at)
}
