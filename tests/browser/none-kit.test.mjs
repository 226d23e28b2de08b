// The pages of the `none` kit as they are served in production.
// spec: KIT-1

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { launch, lightness, overflow, visit } from './harness.mjs';

/** @type {import('playwright-core').Browser} */
let browser;

before(async () => {
  browser = await launch();
});

after(() => browser?.close());

test('the landing page is whole on every screen', async () => {
  const { page, response, problems, close } = await visit(browser, '/');
  assert.equal(response.status(), 200);
  assert.ok((await page.locator('link[rel=stylesheet]').count()) > 0, 'the built styles are linked');
  await assertWellMade(page);
  assert.deepEqual(problems, []);
  await close();
});

for (const status of [403, 404, 419, 429, 500, 503]) {
  test(`the ${status} page is whole on every screen`, async () => {
    const { page, response, problems, close } = await visit(browser, `/try/${status}`);
    assert.equal(response.status(), status);
    assert.match(await page.locator('body').innerText(), new RegExp(String(status)));
    assert.doesNotMatch(await page.content(), /a private note/, 'nothing private reaches the visitor');
    await assertWellMade(page);
    assert.deepEqual(problems, []);
    await close();
  });
}

test('a page that nobody wrote is answered with the 404 page', async () => {
  const { page, response, close } = await visit(browser, '/nobody-wrote-this');
  assert.equal(response.status(), 404);
  assert.match(await page.locator('body').innerText(), /404/);
  await close();
});

test('the policy forbids inline scripts without a nonce', async () => {
  const { page, response, problems, close } = await visit(browser, '/');
  const policy = response.headers()['content-security-policy'] ?? '';
  assert.match(policy, /script-src/);
  assert.doesNotMatch(policy.match(/script-src[^;]*/)?.[0] ?? '', /'unsafe-inline'|'unsafe-eval'/);
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.intruder = true';
    document.body.append(script);
  });
  assert.equal(await page.evaluate(() => 'intruder' in window), false, 'the intruder did not run');
  assert.ok(problems.some((problem) => problem.startsWith('policy: script-src')), 'and the harness saw it refused');
  await close();
});

test('the landing page sets no cookie', async () => {
  const { page, close } = await visit(browser, '/');
  assert.deepEqual(await page.context().cookies(), []);
  await close();
});

/** @param {import('playwright-core').Page} page */
async function assertWellMade(page) {
  assert.ok((await page.title()).trim().length > 0, 'it has a title');
  assert.equal(await page.locator('h1').count(), 1, 'it has one main heading');
  assert.ok(await page.locator('html[lang]').count(), 'it names its language');
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 });
      assert.equal(await overflow(page), 0, `nothing reaches beyond ${width} px`);
      const light = await lightness(page);
      const suits = colorScheme === 'dark' ? light < 90 : light > 165;
      assert.ok(suits, `it suits a ${colorScheme} screen of ${width} px; its lightness is ${light}`);
    }
  }
}
