import { Aborted, Expired, NeedsPasswordConfirmation, Offline, RequestError } from '@housekey/client'
import { expect, test } from 'vitest'
import { explain } from '@/lib/failure'

test('who closed the dialog or left the page is told nothing', () => {
  expect(explain(new NeedsPasswordConfirmation('confirm', { status: 423 }))).toBe('')
  expect(explain(new Aborted('left', { status: 0, cause: new DOMException('', 'AbortError') }))).toBe('')
})

test('a request that took too long is news', () => {
  expect(explain(new Aborted('slow', { status: 0, cause: new DOMException('', 'TimeoutError') }))).not.toBe('')
})

test('without a network it says what is still there', () => {
  expect(explain(new Offline('no', { status: 0 }))).toContain('what you typed is still here')
})

test('a page that was open too long is to be reloaded', () => {
  expect(explain(new Expired('old', { status: 419 }))).toContain('Reload it')
})

test('a fault of the server keeps its words to itself and names the request', () => {
  const text = explain(new RequestError('panicked at src/main.rs', { status: 500, requestId: 'r1' }))
  expect(text).not.toContain('panicked')
  expect(text).toContain('(Request r1)')
})

test('a page of HTML in place of an answer is a fault of the server', () => {
  expect(explain(new RequestError('<html>', { status: 502, code: 'not_json' }))).toContain('The lights went out')
})

test('what the server cannot do just now it says itself', () => {
  expect(explain(new RequestError('We cannot reach GitHub.', { status: 503 }))).toBe('We cannot reach GitHub.')
  expect(explain(new RequestError('<html>', { status: 503, code: 'not_json' }))).toContain('The lights went out')
})

test('what the server refuses it says itself', () => {
  expect(explain(new RequestError('This door is locked.', { status: 403 }))).toBe('This door is locked.')
})

test('a mistake in the code is not hidden', () => {
  expect(() => explain(new TypeError('x is not a function'))).toThrow('x is not a function')
})
