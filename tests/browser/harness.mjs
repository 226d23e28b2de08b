// Opens pages in the machine's own chromium and writes down everything that goes wrong on them.

import { chromium } from 'playwright-core';

const executablePath = process.env.HOUSEKEY_CHROMIUM ?? '/usr/bin/chromium';

/** The server under test, started by `cargo xtask`. */
export const origin = required('HOUSEKEY_URL');

/** Quiet and without a network of its own: the browser talks to the server under test and to nobody else. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** @returns {Promise<import('playwright-core').Browser>} a browser with an empty profile */
export function launch() {
  return chromium.launch({ executablePath, headless: true, args: flags });
}

/**
 * Opens a path in a fresh context.
 *
 * @param {import('playwright-core').Browser} browser
 * @param {string} path
 * @param {{ scheme?: 'light' | 'dark', width?: number, height?: number }} [options]
 */
export async function visit(browser, path, options = {}) {
  const { scheme = 'light', width = 1280, height = 800 } = options;
  const context = await browser.newContext({ colorScheme: scheme, viewport: { width, height } });
  // It ends what would never come; a machine that is busy is only slow.
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const problems = await watch(page);
  const response = await page.goto(new URL(path, origin).href, { waitUntil: 'load' });
  await page.waitForLoadState('networkidle');
  return { page, response, problems, close: () => context.close() };
}

/**
 * Collects console errors, uncaught exceptions, failed requests and violations of the content security policy.
 *
 * @param {import('playwright-core').Page} page
 * @returns {Promise<string[]>} filled as the page lives
 */
async function watch(page) {
  /** @type {string[]} */
  const problems = [];
  // A page answered with 404 is itself reported as a failed load; the test asserts its status on its own.
  const aboutThePageItself = (url) => url === page.url();
  page.on('console', (message) => {
    const serious = message.type() === 'error' || message.type() === 'warning';
    if (serious && !aboutThePageItself(message.location().url)) problems.push(`console: ${message.text()}`);
    else if (serious && !message.text().startsWith('Failed to load resource')) problems.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`exception: ${error.message}`));
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    // The dev server may reload the page while something is on its way; that is the browser's own doing.
    if (reason !== 'net::ERR_ABORTED') problems.push(`failed: ${request.url()} ${reason}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400 && !aboutThePageItself(response.url()) && !response.request().isNavigationRequest()) {
      problems.push(`status ${response.status()}: ${response.url()}`);
    }
  });
  await page.exposeBinding('reportPolicyViolation', (_source, text) => problems.push(`policy: ${text}`));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      window.reportPolicyViolation(`${event.violatedDirective} refused ${event.blockedURI || 'inline'} at ${event.sourceFile}:${event.lineNumber}`);
    });
  });
  return problems;
}

/**
 * How far the page reaches beyond the screen, in pixels.
 *
 * @param {import('playwright-core').Page} page
 */
export function overflow(page) {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/**
 * How light the visible part of the page is on the whole: 0 is black, 255 is white.
 *
 * It is measured on a picture, because a page has many ways to paint its ground.
 *
 * @param {import('playwright-core').Page} page
 */
export async function lightness(page) {
  const picture = await page.screenshot({ animations: 'disabled' });
  // Decoded in an empty page: the policy of the page under test need not allow it.
  const empty = await page.context().newPage();
  const light = await empty.evaluate(async (png) => {
    const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
    const canvas = new OffscreenCanvas(1, 1).getContext('2d');
    if (!canvas) throw new Error('no canvas');
    canvas.imageSmoothingQuality = 'high';
    canvas.drawImage(bitmap, 0, 0, 1, 1);
    const [red, green, blue] = canvas.getImageData(0, 0, 1, 1).data;
    return (red + green + blue) / 3;
  }, picture.toString('base64'));
  await empty.close();
  return light;
}

/** @param {string} name */
function required(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run this through cargo xtask test`);
  return value;
}
