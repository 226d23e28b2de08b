/** One page of a list, as the server's `Page` travels. */
export interface Page {
  page: number
  perPage: number
  total: number
}

export function lastPage({ perPage, total }: Page): number {
  return Math.max(1, Math.ceil(total / Math.max(1, perPage)))
}

/** The first page, the last and the neighbours; `null` is where some are left out. */
export function pagesAround(page: number, last: number): (number | null)[] {
  const numbers = [...new Set([1, page - 1, page, page + 1, last])].filter((number) => number >= 1 && number <= last).sort((a, b) => a - b)
  return numbers.flatMap((number, at) => {
    const gap = number - (numbers[at - 1] ?? 0)
    // A gap of one is as short as what would say it.
    return gap === 1 ? [number] : gap === 2 ? [number - 1, number] : [null, number]
  })
}
