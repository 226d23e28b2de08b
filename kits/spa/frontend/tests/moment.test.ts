import { expect, test } from 'vitest'
import { words } from '@/lib/moment'

const now = Date.parse('2026-11-15T12:00:00Z')

test.each([
  ['2026-11-15T11:59:31Z', 'just now'],
  ['2026-11-15T12:00:05Z', 'just now'],
  ['2026-11-15T11:59:00Z', '1 minute ago'],
  ['2026-11-15T09:00:00Z', '3 hours ago'],
  ['2026-11-14T10:00:00Z', 'yesterday'],
  ['2026-11-05T10:00:00Z', '10 days ago'],
  ['2026-05-04T10:00:00Z', 'May 4, 2026'],
])('%s is “%s”', (at, said) => expect(words(at, now)).toBe(said))
