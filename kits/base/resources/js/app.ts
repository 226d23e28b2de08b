// The script of every page. The pages work without it.

/** The lamp over the door on the welcome page is the health of the app. */
async function lightTheLamp(): Promise<void> {
  const health = document.querySelector<HTMLAnchorElement>('.health a')
  if (!health) return
  const answers = await fetch(health.href).then((response) => response.ok, () => false)
  document.documentElement.dataset['health'] = answers ? 'up' : 'down'
  health.textContent = answers ? 'answering' : 'not answering'
}

void lightTheLamp()
