// The page that shows the description of an API to people, as the api kit serves it in production once it is turned on.
// spec: KEY-6

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { launch, lightness, origin, overflow, visit } from './harness.mjs';

const PAGE = '/api/docs';

/** @type {import('playwright-core').Browser} */
let browser;

before(async () => {
  browser = await launch();
});

after(() => browser?.close());

for (const scheme of ['light', 'dark']) {
  for (const width of [1280, 360]) {
    test(`the page is whole on a ${scheme} screen of ${width} px, folded and unfolded`, async () => {
      const { page, response, problems, close } = await visit(browser, PAGE, { scheme, width });
      assert.equal(response.status(), 200);
      assert.equal(await page.locator('h1').count(), 1);
      assert.equal(await overflow(page), 0);
      const light = await lightness(page);
      assert.ok(scheme === 'dark' ? light < 90 : light > 165, `its lightness is ${light}`);
      await page.evaluate(() => document.querySelectorAll('details').forEach((one) => (one.open = true)));
      assert.equal(await overflow(page), 0, 'unfolded');
      assert.deepEqual(problems, []);
      await close();
    });
  }
}

test('the policy is as strict as on any page, and the page asks nobody else for anything', async () => {
  const { page, response, close } = await visit(browser, '/');
  const policy = (one) => (one.headers()['content-security-policy'] ?? '').replaceAll(/'nonce-[^']+'/g, "'nonce'");
  const elsewhere = policy(response);
  /** @type {string[]} */
  const asked = [];
  page.on('request', (request) => asked.push(request.url()));
  const docs = await page.goto(new URL(PAGE, origin).href, { waitUntil: 'networkidle' });
  assert.equal(policy(docs), elsewhere);
  assert.match(elsewhere, /script-src/);
  assert.doesNotMatch(elsewhere, /'unsafe-(inline|eval|hashes)'/);
  assert.ok(asked.length > 0 && asked.every((url) => url.startsWith(origin)), asked.join('\n'));
  assert.equal(await page.locator('script').count(), 0);
  await close();
});

for (const script of [true, false]) {
  test(`an endpoint of the app and one of the engine are found and opened ${script ? 'with' : 'without'} script`, async () => {
    const context = await browser.newContext({ javaScriptEnabled: script, viewport: { width: 360, height: 800 } });
    const page = await context.newPage();
    await page.goto(new URL(PAGE, origin).href);

    await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Session', exact: true }).click();
    const login = operation(page, 'POST', '/api/login');
    await assertUnfolds(login, ['email', 'password', 'The body', '401', '429']);

    const verify = operation(page, 'POST', '/api/auth/sign-in/email');
    await assertUnfolds(verify, ['email', 'password', 'rememberMe', 'What comes back']);

    // A type is a link to what it is.
    const type = login.getByRole('link').first();
    const target = await type.getAttribute('href');
    await type.click();
    assert.equal(new URL(page.url()).hash, target);
    assert.equal(await page.locator(target).count(), 1);
    await context.close();
  });
}

test('whoever has no mouse opens an endpoint with the keyboard', async () => {
  const { page, problems, close } = await visit(browser, PAGE);
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Skip to the content');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  const first = page.locator('details.operation').first();
  await first.locator('summary').focus();
  await page.keyboard.press('Enter');
  assert.ok(await first.evaluate((one) => one.open));
  assert.deepEqual(problems, []);
  await close();
});

test('the page tells of API keys, and where one is taken instead of a token', async () => {
  const { page, close } = await visit(browser, PAGE);
  const ways = await page.locator('.ways').innerText();
  assert.match(ways, /authorization: Bearer/);
  assert.match(ways, /x-api-key/);
  const who = operation(page, 'GET', '/api/me');
  await who.locator('summary').click();
  assert.match(await who.innerText(), /x-api-key/);
  const change = operation(page, 'PATCH', '/api/me');
  await change.locator('summary').click();
  assert.doesNotMatch(await change.innerText(), /x-api-key/);
  await close();
});

test('the document is where the page says', async () => {
  const { page, close } = await visit(browser, PAGE);
  const href = await page.getByRole('link', { name: 'OpenAPI 3.1' }).getAttribute('href');
  const answer = await page.request.get(new URL(href ?? '', origin).href);
  assert.equal(answer.status(), 200);
  assert.match((await answer.json()).openapi, /^3\.1\./);
  await close();
});

/**
 * @param {import('playwright-core').Page} page
 * @param {string} method
 * @param {string} path
 */
function operation(page, method, path) {
  const summary = page.locator('summary').filter({ has: page.getByText(path, { exact: true }) });
  return page.locator('details.operation').filter({ has: summary.filter({ has: page.getByText(method, { exact: true }) }) });
}

/**
 * @param {import('playwright-core').Locator} operation
 * @param {string[]} words
 */
async function assertUnfolds(operation, words) {
  assert.equal(await operation.count(), 1);
  const details = operation.locator('.details');
  assert.equal(await details.isVisible(), false);
  await operation.locator('summary').click();
  assert.equal(await details.isVisible(), true);
  const text = await details.innerText();
  for (const word of words) assert.ok(text.includes(word), `${word} in ${text}`);
}
