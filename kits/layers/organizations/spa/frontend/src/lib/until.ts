const relative = new Intl.RelativeTimeFormat(document.documentElement.lang || 'en', { numeric: 'auto' })

/** How long it is until a moment: `in 2 days`, `in 40 minutes`. */
export function until(iso: string, now = Date.now()): string {
  const minutes = Math.ceil((Date.parse(iso) - now) / 60_000)
  if (minutes < 90) return relative.format(Math.max(1, minutes), 'minute')
  if (minutes < 60 * 36) return relative.format(Math.round(minutes / 60), 'hour')
  return relative.format(Math.round(minutes / 60 / 24), 'day')
}
