import { chromium, type Browser, type Page } from 'playwright-core'
import { afterAll, onTestFinished } from 'vitest'
import { listen, type Handler, type TestServer } from './server.js'

const executablePath = process.env['HOUSEKEY_CHROMIUM'] ?? '/usr/bin/chromium'

/** Quiet and without a network of its own. */
const args = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync',
]

let started: Promise<Browser> | undefined

/** One browser per file of tests, with a fresh profile per page. */
function browser(): Promise<Browser> {
  return (started ??= chromium.launch({ executablePath, headless: true, args }))
}

afterAll(async () => {
  await (await started)?.close()
})

export interface Site extends TestServer {
  page: Page
  /** Console errors, exceptions and violations of the policy. */
  problems: string[]
}

export interface SiteOptions {
  /** The script of the page. */
  script: string
  /** What the page embeds. */
  data?: object | string
  /** The body of the page. */
  html?: string
  /** The page's content security policy. */
  policy?: string
  /** Everything below `/api`, and what else the page does not serve. */
  api?: Handler
}

/** As strict as the kits' own. */
const POLICY = "default-src 'self'; script-src 'nonce-n1'; style-src 'self' 'nonce-n1'; object-src 'none'; base-uri 'none'"

/** A page at its own origin, opened in chromium. Both go when the test ends. */
export async function open({ script, data, html = '', policy = POLICY, api = () => ({ status: 404, body: {} }) }: SiteOptions): Promise<Site> {
  const embedded = data === undefined ? '' : `<script type="application/json" id="page-data">${typeof data === 'string' ? data : JSON.stringify(data)}</script>`
  const server = await listen((request, response) => {
    if (request.url === '/') {
      return {
        headers: { 'content-type': 'text/html', 'content-security-policy': policy, 'set-cookie': 'session=s1; HttpOnly; Path=/; SameSite=Lax' },
        body: `<!doctype html><title>test</title><body>${html}${embedded}<script type="module" nonce="n1" src="/script.js"></script>`,
      }
    }
    if (request.url === '/script.js') return { headers: { 'content-type': 'text/javascript' }, body: script }
    if (request.url === '/favicon.ico') return { status: 204 }
    return api(request, response)
  })
  const context = await (await browser()).newContext()
  onTestFinished(async () => {
    await context.close()
    await server.close()
  })
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', (message) => {
    // A status of 400 and more is reported by the browser too; the tests assert those themselves.
    const isStatus = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isStatus) problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(String(error)))
  await page.goto(`${server.origin}/`)
  return { ...server, page, problems }
}

/** What arrived below `/api` and elsewhere, without the page and its script. */
export function requests(site: TestServer) {
  return site.arrived.filter(({ url }) => url !== '/' && url !== '/script.js' && url !== '/favicon.ico')
}
