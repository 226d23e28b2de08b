import { defineComponent, nextTick, provide, ref } from 'vue'
import { expect, test, vi } from 'vitest'
import CodeField from '@/components/CodeField.vue'
import { FORM } from '@/components/form-context'
import { find, h, mount, type } from './support/mount'

/** A code field in a form that can refuse it. */
function codeField(kind: 'app' | 'recovery') {
  const code = ref('')
  const errors = ref<Record<string, string>>({})
  const complete = vi.fn()
  const Around = defineComponent({
    setup() {
      provide(FORM, { errors, locked: ref(false), doubt: ref(undefined) })
      return () => h(CodeField, { kind, modelValue: code.value, 'onUpdate:modelValue': (text: string) => (code.value = text), onComplete: complete })
    },
  })
  mount(() => h(Around))
  return { code, errors, complete, input: find<HTMLInputElement>('input[name="code"]') }
}

test('a pasted code loses its spaces and is complete at six digits, once', async () => {
  const { code, complete, input } = codeField('app')
  type(input, ' 123 456 ')
  await nextTick()
  expect(code.value).toBe('123456')
  expect(input.value).toBe('123456')
  await nextTick()
  expect(complete).toHaveBeenCalledTimes(1)

  type(input, '1234567')
  await nextTick()
  expect(code.value).toBe('123456')
  expect(complete).toHaveBeenCalledTimes(1)
})

test('it waits for the sixth digit', async () => {
  const { complete, input } = codeField('app')
  type(input, '12345')
  await nextTick()
  expect(complete).not.toHaveBeenCalled()
  type(input, '123450')
  await nextTick()
  await nextTick()
  expect(complete).toHaveBeenCalledTimes(1)
})

test('refused, it is empty, says why and has the focus, every time', async () => {
  const { code, errors, complete, input } = codeField('app')
  for (const time of [1, 2]) {
    errors.value = {}
    type(input, '000000')
    await nextTick()
    errors.value = { code: 'That code is not right.' }
    await nextTick()
    await nextTick()
    expect(code.value).toBe('')
    expect(document.activeElement).toBe(input)
    expect(input.getAttribute('aria-invalid')).toBe('true')
    expect(find(`#${CSS.escape(input.getAttribute('aria-describedby')!)}`).textContent).toContain('not right')
    expect(complete).toHaveBeenCalledTimes(time)
  }
})

test('a recovery code is taken as it is typed, and sent by hand', async () => {
  const { code, complete, input } = codeField('recovery')
  type(input, 'AbC12-xyz9')
  await nextTick()
  expect(code.value).toBe('AbC12-xyz9')
  expect(complete).not.toHaveBeenCalled()
  expect(input.getAttribute('autocomplete')).toBe('off')
})

test('phones and password managers know what it is', () => {
  const { input } = codeField('app')
  expect([input.getAttribute('autocomplete'), input.getAttribute('inputmode')]).toEqual(['one-time-code', 'numeric'])
})
