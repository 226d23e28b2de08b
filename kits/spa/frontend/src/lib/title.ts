/** The name of the app. The server writes it into the document's title; the pages put theirs in front of it. */
export const appName = document.title

/** What the browser's tab says. */
export function setTitle(page: string): void {
  document.title = `${page} · ${appName}`
}
