// The parts that pages with lists and larger forms are made of.

import { expect, test } from 'vitest'
import { createMemoryHistory, createRouter } from 'vue-router'
import { createApp, defineComponent, nextTick } from 'vue'
import AppEmptyState from '@/components/AppEmptyState.vue'
import AppFileField from '@/components/AppFileField.vue'
import AppForm from '@/components/AppForm.vue'
import AppPagination from '@/components/AppPagination.vue'
import AppSelect from '@/components/AppSelect.vue'
import AppTextArea from '@/components/AppTextArea.vue'
import { useAppForm } from '@/composables/useAppForm'
import { formData } from '@/lib/form-data'
import { pagesAround } from '@/lib/pages'
import { eventually, find, h, mount } from './support/mount'
import { serve } from './support/server'

const authors = [
  { value: 1, label: 'Ada' },
  { value: 2, label: 'Grace' },
]

test('a refused form keeps what was typed and chosen, and says what is wrong at its field', async () => {
  const asked = await serve({ 'POST /books': { status: 422, body: { message: 'Refused', errors: { author: ['Who wrote it?'], 'papers.1': ['This is no picture.'] } } } })
  const Page = defineComponent({
    setup() {
      const form = useAppForm({ about: '', author: '' as number | '', papers: [] as File[] }, () => false, formData)
      return () =>
        h(AppForm as unknown as string, { form, action: '/books', fields: ['about', 'author', 'papers'] }, () => [
          h(AppTextArea, { name: 'about', label: 'About', modelValue: form.data.about, 'onUpdate:modelValue': (text: string) => void (form.data.about = text) }),
          h(AppSelect as unknown as string, { name: 'author', label: 'Author', options: authors, empty: 'Choose one', modelValue: form.data.author }),
          h(AppFileField, { name: 'papers', label: 'Papers', hint: 'Pictures.', multiple: true, modelValue: form.data.papers }),
        ])
    },
  })
  mount(() => h(Page))
  const about = find<HTMLTextAreaElement>('textarea')
  about.value = 'Two\nlines'
  about.dispatchEvent(new Event('input', { bubbles: true }))
  find<HTMLFormElement>('form').requestSubmit()
  const [select, file] = [find('select'), find('input[type="file"]')]
  await eventually(() => expect(select.getAttribute('aria-invalid')).toBe('true'))
  const words = (field: HTMLElement) => field.getAttribute('aria-describedby')!.split(' ').map((id) => find(`#${CSS.escape(id)}`).textContent?.trim())
  expect(words(select)).toEqual(['Who wrote it?'])
  expect(words(file)).toEqual(['Pictures.', 'This is no picture.'])
  expect(about.value).toBe('Two\nlines')
  expect(asked[0]?.headers['content-type']).toContain('multipart/form-data')
  expect(about.hasAttribute('aria-invalid')).toBe(false)
  expect([...document.querySelectorAll('option')].map((option) => option.textContent)).toEqual(['Choose one', 'Ada', 'Grace'])
})

test('a form with files is packed as browsers send it', () => {
  const [one, two] = [new File(['1'], 'one.txt'), new File(['2'], 'two.txt')]
  const body = formData({ title: 'Dune', year: 1965, papers: [one, two], cover: null })
  expect([...body.keys()]).toEqual(['title', 'year', 'papers', 'papers'])
  expect(body.get('year')).toBe('1965')
  expect(body.getAll('papers').map((file) => (file as File).name)).toEqual(['one.txt', 'two.txt'])
})

test('a long list shows the ends and the neighbours', () => {
  const words = (page: number, last: number) => pagesAround(page, last).map((number) => number ?? '…').join(' ')
  expect(words(1, 1)).toBe('1')
  expect(words(4, 9)).toBe('1 2 3 4 5 … 9')
  expect(words(5, 9)).toBe('1 … 4 5 6 … 9')
  expect(words(40, 9)).toBe('1 … 9')
})

test('pages lead to their neighbours and keep the rest of the address', async () => {
  const router = createRouter({ history: createMemoryHistory(), routes: [{ path: '/books', component: { render: () => null }, meta: { title: '' } }] })
  await router.push('/books?q=a%26b&page=2')
  const host = document.createElement('div')
  document.body.append(host)
  createApp({ render: () => h(AppPagination, { page: { page: 2, perPage: 10, total: 95 } }) }).use(router).mount(host)
  await nextTick()
  expect(host.textContent).toContain('11 to 20 of 95')
  expect(host.querySelector('[rel="prev"]')?.getAttribute('href')).toBe('/books?q=a%26b')
  expect(host.querySelector('[rel="next"]')?.getAttribute('href')).toBe('/books?q=a%26b&page=3')
  const current = [...host.querySelectorAll('[aria-current="page"]')]
  expect(current.map((link) => link.getAttribute('aria-label'))).toEqual(['Page 2'])
  host.remove()
})

test('a list without rows says what comes next', () => {
  const host = mount(() => h(AppEmptyState, { title: 'No books yet', icon: 'plus' }, () => h('a', { href: '/books/new' }, 'Add the first')))
  expect(host.querySelector('h2')?.textContent).toBe('No books yet')
  expect(host.querySelector('a')?.textContent).toBe('Add the first')
})
