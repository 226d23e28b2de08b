// Signing in through a certified provider, in the app of a kit: with real redirects, keys, consent and sign-out.
//
//     HOUSEKEY_APP_FOLDER=/path/to/app CARGO_TARGET_DIR=… CHROMIUM=/usr/bin/chromium node --test social.test.mjs
//
// The app brings its own helpers (tests/browser/support): they know where its pages are, and start it.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { CLIENT_ID, CLIENT_SECRET, startProvider } from './oidc-provider.mjs';

const folder = process.env.HOUSEKEY_APP_FOLDER;
if (!folder) throw new Error('HOUSEKEY_APP_FOLDER is not set: run this through cargo xtask test');
process.chdir(folder);

/** @param {string} file */
const support = (file) => import(pathToFileURL(join(folder, 'tests/browser/support', file)).href);
const { startApp } = await support('app.js');
const { TIMEOUT_MS, loseCookies, startBrowser, visit, withoutRefusals } = await support('browser.js');
const { inspector } = await support('inspect.js');
const { press } = await support('keyboard.js');
const { confirmAddress, confirmPassword, signIn, signUp } = await support('member.js');
const { places } = await support('places.js');

/** Whether the pages are drawn in the browser. */
const isSpa = existsSync(join(folder, 'frontend'));
const CONTINUE = /^Continue with OpenID/;
const TABS = 20;

let app;
let browser;
let provider;

before(async () => {
  provider = await startProvider({ appUrl: () => app.url });
  Object.assign(process.env, {
    OPENID_ISSUER: provider.issuer,
    OPENID_CLIENT_ID: CLIENT_ID,
    OPENID_CLIENT_SECRET: CLIENT_SECRET,
    // The provider is on this machine, where apps do not look otherwise.
    OPENID_ALLOW_PRIVATE: 'true',
  });
  // Nobody answers yet: the app has to come up without its provider.
  provider.become('down');
  app = await startApp();
  browser = await startBrowser();
});

after(async () => {
  await browser?.close();
  await app?.stop();
  await provider?.stop();
});

// Whatever a test before did to it.
beforeEach(() => provider.become('well'));

let people = 0;
const freshEmail = (kind = 'ada') => `${kind}.${Date.now()}.${(people += 1)}@example.com`;
const path = (page) => new URL(page.url()).pathname;
const signInButton = (page) => page.getByRole('button', { name: CONTINUE });

/** Answers what the provider asks: who it is, and whether the app may know. */
async function agree(page, email) {
  await page.waitForURL(`${provider.issuer}/**`);
  await page.getByLabel('Who are you?').fill(email);
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByText('May the app know').waitFor();
  await page.getByRole('button', { name: 'Go on' }).click();
}

/** A new person, made by the button on the page to sign up. */
async function signUpByButton(page, email = freshEmail()) {
  await page.goto(places.signUp);
  await signInButton(page).click();
  await agree(page, email);
  await page.waitForURL('**/dashboard');
  return email;
}

/** Out of the app, and out of the provider too. */
async function signOutEverywhere(page) {
  await page.locator('summary:visible').click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(`${provider.issuer}/session/end**`);
  await page.getByRole('button', { name: 'Sign out here too' }).click();
  await page.waitForURL(`${app.url}/`);
}

/** Waits for the sentence on the page a refusal leads to. */
async function reason(page, words) {
  await page.waitForURL((url) => url.origin === app.url && !url.pathname.startsWith('/auth/social'));
  await page.getByText(words).first().waitFor();
}

/** Asks an endpoint of the engine as a script of the page does. */
function engine(page, method, route, body) {
  return page.evaluate(
    async ([method, route, body]) => {
      const answer = await fetch(`/api/auth${route}`, {
        method,
        headers: body ? { 'content-type': 'application/json' } : {},
        body: body ? JSON.stringify(body) : null,
      });
      return { status: answer.status, body: await answer.json().catch(() => null) };
    },
    [method, route, body],
  );
}

// spec: SOC-8
test('a provider that nobody reaches costs a page with a reason, and the password still opens the door', { timeout: 300_000 }, async () => {
  provider.become('down');
  const { context, page, problems } = await visit(browser, app.url);
  const ada = await signUp(page);
  await loseCookies(page);
  await page.goto(places.signIn);
  await signInButton(page).click();
  await reason(page, /cannot reach OpenID/);
  assert.equal(path(page), places.signIn);
  await signIn(page, ada);
  await page.waitForURL('**/dashboard');
  assert.deepEqual(withoutRefusals(problems), []);

  // Back again, it is found by itself: not at once, so that a provider in trouble is left alone for a while.
  provider.become('well');
  await loseCookies(page);
  const end = Date.now() + TIMEOUT_MS;
  while (!page.url().startsWith(provider.issuer)) {
    assert.ok(Date.now() < end, 'the provider is back and nobody looks for it');
    await page.goto(places.signIn);
    await signInButton(page).click();
    await page.waitForURL((url) => url.href.startsWith(provider.issuer) || url.search.includes('error='));
    // A start counts, and whoever begins very often is asked to wait.
    if (!page.url().startsWith(provider.issuer)) await page.waitForTimeout(2_000);
  }
  await context.close();
});

// spec: SOC-2, SOC-3, SOC-4
test('the button makes an account, the provider hears of the sign-out, and a new key of its opens the account again', { timeout: 300_000 }, async () => {
  const { context, page, problems } = await visit(browser, app.url);
  const email = await signUpByButton(page);
  assert.ok(provider.asked.some((what) => what.endsWith(' /me')), 'the address is told at the user-info endpoint only');
  await page.goto('/settings/profile');
  await page.getByText(email).first().waitFor();
  await page.getByText('Confirmed', { exact: true }).waitFor();

  await signOutEverywhere(page);
  await page.goto('/dashboard');
  assert.equal(path(page), places.signIn);

  provider.rotateKeys();
  await page.getByText('Last used').waitFor();
  await signInButton(page).click();
  // The provider asks anew who it is: the sign-out reached it.
  await agree(page, email);
  await page.waitForURL('**/dashboard');
  assert.deepEqual(withoutRefusals(problems), []);
  await context.close();
});

// spec: SOC-7
test('the refresh token of the provider brings a new access token', { timeout: 300_000 }, async () => {
  const { context, page } = await visit(browser, app.url);
  await signUpByButton(page);
  const { body: accounts } = await engine(page, 'GET', '/list-accounts');
  assert.deepEqual(accounts.map(({ providerId }) => providerId), ['openid']);
  const accountId = accounts[0].id;
  const before = await engine(page, 'POST', '/get-access-token', { accountId });
  const refreshed = await engine(page, 'POST', '/refresh-token', { accountId });
  assert.deepEqual([before.status, refreshed.status], [200, 200], JSON.stringify([before, refreshed]));
  assert.notEqual(refreshed.body.accessToken, before.body.accessToken);
  const me = await fetch(`${provider.issuer}/me`, { headers: { authorization: `Bearer ${refreshed.body.accessToken}` } });
  assert.equal(me.status, 200);
  await context.close();
});

// spec: SOC-8
test('who says no at the provider reads why nothing happened, and nothing of what the provider wrote', { timeout: 300_000 }, async () => {
  const { context, page, problems } = await visit(browser, app.url);
  await page.goto(places.signIn);
  await signInButton(page).click();
  await page.waitForURL(`${provider.issuer}/**`);
  await page.getByRole('button', { name: 'No' }).click();
  await reason(page, /without saying yes/);
  assert.equal(path(page), places.signIn);
  assert.ok(!(await page.locator('body').innerText()).includes('said no'), 'the words of the provider stay out of the page');
  assert.deepEqual(withoutRefusals(problems), []);
  await context.close();
});

// spec: SOC-8
test('a provider that fails half-way signs nobody in', { timeout: 300_000 }, async () => {
  const { context, page } = await visit(browser, app.url);
  const email = freshEmail();
  await page.goto(places.signIn);
  await signInButton(page).click();
  provider.become('broken');
  await agree(page, email);
  await reason(page, /nobody was signed in/);
  await page.goto('/dashboard');
  assert.equal(path(page), places.signIn);

  // Nothing half made is left: the same person signs in as new.
  provider.become('well');
  await signInButton(page).click();
  await page.waitForURL('**/dashboard');
  await context.close();
});

// spec: SOC-5
test('an account with the same address is not handed out, and its owner is told how to connect', { timeout: 300_000 }, async () => {
  for (const kind of ['ada', 'unproven']) {
    const owner = await visit(browser, app.url);
    const ada = await signUp(owner.page, { email: freshEmail(kind) });
    // Whichever side has not proven the address, it is refused.
    if (kind === 'unproven') await confirmAddress(owner.page, ada.email);
    await owner.context.close();

    const { context, page } = await visit(browser, app.url);
    await page.goto(places.signIn);
    await signInButton(page).click();
    await agree(page, ada.email);
    await reason(page, /Sign in with your password, .* then connect OpenID/);
    await page.goto('/dashboard');
    assert.equal(path(page), places.signIn);
    await context.close();
  }
});

// spec: SOC-2, SOC-6
test('an account is connected and disconnected where its owner looks after it', { timeout: 300_000 }, async () => {
  const { context, page, problems } = await visit(browser, app.url);
  const ada = await signUp(page);
  await page.goto('/settings/account');
  await page.getByRole('heading', { name: 'Ways to sign in' }).waitFor();
  await page.getByRole('button', { name: 'Connect OpenID' }).click();
  await confirmPassword(page, ada.password);
  await agree(page, ada.email);
  await page.waitForURL((url) => url.pathname === '/settings/account');
  await page.getByText('OpenID is connected.').waitFor();

  await page.getByRole('button', { name: 'Disconnect OpenID' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
  await page.getByText('You can no longer sign in with OpenID.').waitFor();
  await page.getByRole('button', { name: 'Connect OpenID' }).waitFor();
  assert.deepEqual(withoutRefusals(problems), []);
  await context.close();
});

// spec: SOC-6
test('the last way in stays until there is another one, and a password can be set', { timeout: 300_000 }, async () => {
  const { context, page, problems } = await visit(browser, app.url);
  const email = await signUpByButton(page);
  const password = 'a horse that needs no provider';
  await page.goto('/settings/account');
  await page.getByText('Your only way in').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Disconnect OpenID' }).count(), 0);
  await page.getByRole('link', { name: 'Set a password' }).click();
  await page.getByLabel('New password').fill(password);
  await page.getByLabel('The new one once more').fill(password);
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByText('You can sign in with your password now.').waitFor();
  await page.goto('/settings/account');
  await page.getByRole('button', { name: 'Disconnect OpenID' }).waitFor();

  await signOutEverywhere(page);
  await page.goto(places.signIn);
  await signIn(page, { email, password });
  await page.waitForURL('**/dashboard');
  assert.deepEqual(withoutRefusals(problems), []);
  await context.close();
});

const withoutScript = async () => {
  const { context, page } = await visit(browser, app.url, { javaScriptEnabled: false });
  const email = await signUpByButton(page);
  await signOutEverywhere(page);
  await page.goto(places.signIn);
  await signInButton(page).click();
  await agree(page, email);
  await page.waitForURL('**/dashboard');
  await context.close();
};
// The pages of the spa are drawn by a script.
if (!isSpa) test('pages without script sign up, out and in again through the provider', { timeout: 300_000 }, withoutScript);

// spec: KIT-8
test('the keyboard alone reaches the button and comes back signed in', { timeout: 300_000 }, async () => {
  const { context, page, problems } = await visit(browser, app.url);
  await page.goto(places.signIn);
  await signInButton(page).waitFor();
  await press(page, CONTINUE);
  await page.waitForURL(`${provider.issuer}/**`);
  await page.keyboard.type(freshEmail());
  await page.keyboard.press('Enter');
  await page.getByText('May the app know').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/dashboard');
  assert.deepEqual(withoutRefusals(problems), []);
  await context.close();
});

// spec: KIT-3, KIT-4
test('nobody meets a barrier where the provider is spoken of', { timeout: 600_000 }, async () => {
  const { page, look, end } = await inspector(browser, app.url);
  for (const place of [places.signIn, places.signUp]) {
    await page.goto(place);
    await signInButton(page).waitFor();
    await look(place);
  }
  await page.goto(`${places.signIn}?provider=openid&error=account_not_linked`);
  await page.getByText(/then connect OpenID/).waitFor();
  await look('sign-in, refused by the provider');
  await signUpByButton(page);
  await page.goto('/settings/account');
  await page.getByText('Your only way in').waitFor();
  await look('account, with a connected account and no password');
  await page.goto('/settings/account?provider=openid&error=email_does_not_match');
  await page.getByText(/another address/).waitFor();
  await look('account, refused by the provider');
  await end();
});

// spec: SOC-3
test('twenty tabs begin at once in one browser, and all of them finish', { timeout: 600_000 }, async () => {
  const { context, page } = await visit(browser, app.url);
  const pages = [page];
  while (pages.length < TABS) pages.push(await context.newPage());
  // The first visit makes this a browser that the app knows; the others come to it as such.
  await page.goto(places.signIn);
  await signInButton(page).waitFor();
  await Promise.all(pages.map((tab) => tab.goto(places.signIn)));
  await Promise.all(pages.map((tab) => signInButton(tab).click()));
  await Promise.all(pages.map((tab) => tab.waitForURL(`${provider.issuer}/**`)));
  const email = freshEmail();
  // One after the other at the provider, in another order than they began: each comes back with a state of its own.
  for (const tab of pages.toReversed()) {
    await tab.getByLabel('Who are you?').fill(email);
    await tab.getByRole('button', { name: 'Go on' }).click();
    await tab.waitForURL((url) => url.origin === app.url || url.pathname.startsWith('/interaction/'));
    const consent = tab.getByText('May the app know');
    await consent.or(tab.getByRole('heading', { name: /^Hello/ })).first().waitFor();
    if (await consent.isVisible()) await tab.getByRole('button', { name: 'Go on' }).click();
    await tab.waitForURL('**/dashboard');
  }
  await context.close();
});
