const date = new Intl.DateTimeFormat(document.documentElement.lang || 'en', { dateStyle: 'long' })

/** The day on which something happens: `4 May 2026`. */
export const day = (iso: string): string => date.format(Date.parse(iso))
