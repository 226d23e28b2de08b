// The app of a kit with every way in turned on: links and codes by mail, usernames, several accounts, a captcha.
//
//     HOUSEKEY_APP_FOLDER=/path/to/app CARGO_TARGET_DIR=… CHROMIUM=/usr/bin/chromium node --test more-ways.test.mjs
//
// The app's config/auth.rs has been edited (xtask/src/kits/more_ways.rs): its captcha waits for CAPTCHA_VERIFY_URL. Its own helpers
// (tests/browser/support) know where its pages are, and start it.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

const folder = process.env.HOUSEKEY_APP_FOLDER;
if (!folder) throw new Error('HOUSEKEY_APP_FOLDER is not set: run this through cargo xtask test');
process.chdir(folder);

/** @param {string} file */
const support = (file) => import(pathToFileURL(join(folder, 'tests/browser/support', file)).href);
const { startApp } = await support('app.js');
const { loseCookies, startBrowser, visit, withoutRefusals } = await support('browser.js');
const { inspector } = await support('inspect.js');
const { mailCode, mailLink } = await support('mailbox.js');
const { confirmAddress, confirmPassword, shownKey } = await support('member.js');
const { places } = await support('places.js');
const { authenticatorApp } = await support('totp.js');

/** Whether the pages are drawn in the browser. */
const isSpa = existsSync(join(folder, 'frontend'));
const PASSWORD = 'correct horse battery staple';
/** The most script that the first visit of the sign-in page may load, in bytes as they are sent. */
const MOST_SCRIPT = 60_000;
const LONG = { timeout: 300_000 };

Object.assign(process.env, {
  GOOGLE_CLIENT_ID: 'an id',
  GOOGLE_CLIENT_SECRET: 'a secret',
  GITHUB_CLIENT_ID: 'another id',
  GITHUB_CLIENT_SECRET: 'another secret',
});

let app;
let browser;

before(async () => {
  app = await startApp();
  browser = await startBrowser();
});

after(async () => {
  await browser?.close();
  await app?.stop();
});

let people = 0;
function somebody(name = 'Ada Lovelace') {
  people += 1;
  const id = `${Date.now().toString(36)}${people}`;
  return { name, email: `ada.${id}@example.com`, username: `ada_${id}`, password: PASSWORD };
}

const path = (page) => new URL(page.url()).pathname;
const identifier = (page) => page.getByLabel('E-mail or username');
const codeField = (page) => page.getByLabel('Six-digit code');

async function fillSignUp(page, person) {
  await page.goto(places.signUp);
  await page.getByLabel('Name', { exact: true }).fill(person.name);
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByLabel('Username').fill(person.username);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
}

async function signUp(page, person = somebody()) {
  await fillSignUp(page, person);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.waitForURL('**/dashboard');
  return person;
}

async function signIn(page, who, password) {
  await identifier(page).fill(who);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Asks for a link on the sign-in page and returns it. */
async function askForLink(page, email) {
  await page.goto(places.signIn);
  await identifier(page).fill(email);
  await page.getByRole('button', { name: /^E-mail me a link/ }).click();
  await page.waitForURL(`**${places.linkSent}`);
  return mailLink(page.context(), email, places.magicLink);
}

async function askForCode(page, email, after) {
  await page.goto(places.signIn);
  await identifier(page).fill(email);
  await page.getByRole('button', { name: /^E-mail me a code/ }).click();
  await page.waitForURL(`**${places.emailCode}`);
  return mailCode(page.context(), email, { after });
}

/** How much script of the app's own the first visit of the sign-in page loads, compressed, and whose else. */
async function weigh(page, url) {
  const scripts = [];
  page.on('response', (answer) => {
    if (answer.request().resourceType() === 'script' && answer.ok()) scripts.push(answer);
  });
  await page.goto(places.signIn, { waitUntil: 'networkidle' });
  page.removeAllListeners('response');
  const own = scripts.filter((answer) => answer.url().startsWith(url));
  const sizes = await Promise.all(own.map(async (answer) => gzipSync(await answer.body()).length));
  const strangers = scripts.filter((answer) => !own.includes(answer)).map((answer) => answer.url());
  return { bytes: sizes.reduce((sum, size) => sum + size, 0), strangers };
}

const another = (code) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
const menu = (page) => page.locator('header summary:visible').last();
/** In the open menu of the account. */
const entry = (page, name) => page.getByRole('button', { name }).filter({ visible: true });

// spec: KEY-1
test('with everything on the sign-in page is calm, open to all, and light', LONG, async () => {
  const { page, look, end } = await inspector(browser, app.url);
  const { bytes, strangers } = await weigh(page, app.url);
  console.log(`# the first visit of ${places.signIn} loads ${bytes} bytes of script`);
  assert.ok(bytes > 0 && bytes <= MOST_SCRIPT, `${bytes} bytes of script`);
  assert.deepEqual(strangers, [], 'nobody else hears of a visit');

  await look('sign-in');
  assert.equal(await page.locator('main input[name=email]').count(), 1, 'one field for whoever it is');
  const filled = page.locator('main button:visible').filter({ hasText: 'Sign in' }).first();
  const colour = (button) => button.evaluate((element) => getComputedStyle(element).backgroundColor);
  const first = await colour(filled);
  for (const button of await page.locator('main button[type]:visible, main button:not([type]):visible').all()) {
    const name = (await button.textContent())?.trim();
    if (name && name !== 'Sign in') assert.notEqual(await colour(button), first, `${name} is not the first thing to press`);
  }
  await page.goto(places.signUp);
  await look('sign-up');
  await end();
});

// spec: KEY-3
test('a link in a mail signs in by its button; a scanner that opens it spends nothing', LONG, async () => {
  const { page, look, end } = await inspector(browser, app.url);
  const ada = await signUp(page);
  await loseCookies(page);
  const link = await askForLink(page, ada.email);
  await look('link sent');
  // What protects mailboxes: it opens what it finds, and runs scripts if it is a thorough one.
  const scanner = await visit(browser, app.url);
  for (let time = 0; time < 2; time += 1) {
    assert.equal((await scanner.context.request.get(link)).status(), 200);
    await scanner.page.goto(link, { waitUntil: 'networkidle' });
  }
  await scanner.page.goto('/dashboard');
  assert.equal(path(scanner.page), places.signIn, 'the scanner is not signed in');
  await scanner.context.close();

  await page.goto(link);
  await page.getByText(ada.email).waitFor();
  await look('link opened');
  await page.goto('/dashboard');
  assert.equal(path(page), places.signIn, 'opening it is no sign-in');
  await page.goto(link);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL('**/dashboard');

  await loseCookies(page);
  await page.goto(link);
  await page.getByRole('heading', { name: 'This link is spent' }).waitFor();
  await look('link spent');
  assert.equal(await page.getByRole('button', { name: 'Sign in', exact: true }).count(), 0);
  await end([404]);
});

// spec: KEY-2
test('the second factor is asked for after a link and after a code', LONG, async () => {
  const { context, page, problems } = await visit(browser, app.url);
  const ada = await signUp(page);
  // Before that, a link would be the first proof of the address and end what was set up without one.
  await confirmAddress(page, ada.email);
  await page.goto('/settings/two-factor');
  await page.getByRole('button', { name: 'Set it up' }).click();
  await page.getByRole('heading', { name: 'Is it you?' }).waitFor();
  await confirmPassword(page, ada.password);
  await page.getByRole('img', { name: 'QR code with your key' }).waitFor();
  const phone = authenticatorApp(await shownKey(page));
  await codeField(page).fill(phone.code());
  await page.getByText('Two-factor sign-in is on.').waitFor();

  await loseCookies(page);
  await page.goto(await askForLink(page, ada.email));
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(`**${places.challenge}`);
  await loseCookies(page);
  await page.goto('/dashboard');
  assert.equal(path(page), places.signIn, 'half a sign-in is none');

  const code = await askForCode(page, ada.email);
  await codeField(page).fill(code);
  await page.waitForURL(`**${places.challenge}`);
  await codeField(page).fill(phone.code());
  await page.waitForURL('**/dashboard');
  assert.deepEqual(withoutRefusals(problems), []);
  await context.close();
});

// spec: KEY-1
test('a code is one field: a wrong one is said there, the right one signs in at its last digit', LONG, async () => {
  const { page, look, end } = await inspector(browser, app.url);
  const ada = await signUp(page);
  await loseCookies(page);
  const code = await askForCode(page, ada.email);
  assert.equal(await page.locator('main input:visible').count(), 1);
  await look('code');
  await codeField(page).fill(another(code));
  await page.locator('[aria-invalid=true]').waitFor();
  assert.equal(await codeField(page).inputValue(), '', 'the next one is typed over nothing');
  await look('wrong code');
  await codeField(page).fill(code.replace(/^.../, '$& '));
  await page.waitForURL('**/dashboard');

  // The way that was taken last is marked, and it is the only one.
  await loseCookies(page, { name: /session/ });
  await page.goto(places.signIn);
  await page.getByRole('button', { name: /^E-mail me a code\s*Last used/ }).waitFor();
  assert.equal(await page.getByText('Last used').count(), 1);
  await look('last used');
  await end();
});

// spec: KEY-1
test('a name is chosen, refused where it cannot be, changed, and signs in', LONG, async () => {
  const { page, look, end } = await inspector(browser, app.url);
  const ada = await signUp(page);
  await page.goto('/settings/profile');
  const field = page.getByLabel('Username');
  await page.waitForFunction((name) => document.querySelector('[name=username]')?.value === name, ada.username);
  await field.fill('admin');
  await page.getByRole('button', { name: 'Save the username' }).click();
  await page.locator('[name=username][aria-invalid=true]').waitFor();
  await look('username refused in the profile');
  ada.username = `${ada.username}.L`;
  await field.fill(ada.username);
  await page.getByRole('button', { name: 'Save the username' }).click();
  await page.getByText('Saved.').first().waitFor();
  await page.reload();
  await page.waitForFunction((name) => document.querySelector('[name=username]')?.value === name, ada.username);

  await loseCookies(page);
  for (const wrong of ['no', ada.username.toUpperCase()]) {
    await fillSignUp(page, { ...somebody(), username: wrong });
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.locator('[name=username][aria-invalid=true]').waitFor();
    assert.equal(await page.locator('[aria-invalid=true]').count(), 1, 'only the name is wrong');
  }
  await look('username refused');
  await page.goto(places.signIn);
  await signIn(page, ada.username.toUpperCase(), 'not the password');
  await page.getByRole('alert').waitFor();
  await look('username and password refused');
  await signIn(page, ada.username.toUpperCase(), ada.password);
  await page.waitForURL('**/dashboard');
  await end();
});

// spec: KEY-1
test('two accounts: one is added, the menu goes from one to the other, and out of one or of all', LONG, async () => {
  const { page, look, end } = await inspector(browser, app.url);
  const ada = await signUp(page, somebody('Ada Lovelace'));
  await loseCookies(page);
  const bob = await signUp(page, somebody('Bob Babbage'));
  const greeted = (name) => page.getByRole('heading', { name: `Hello, ${name}.` }).waitFor();

  const add = async (person) => {
    await menu(page).click();
    await entry(page, 'Add an account').click();
    await page.waitForURL(`**${places.signIn}`);
    await page.getByRole('heading', { name: 'Add an account' }).waitFor();
    await look('adding an account');
    await signIn(page, person.email, person.password);
    await greeted(person.name.split(' ')[0]);
  };
  await add(ada);
  await menu(page).click();
  await entry(page, /Bob Babbage/).first().waitFor();
  await look('the menu with two accounts');
  await entry(page, /^Switch to.*Bob Babbage/s).click();
  await greeted('Bob');

  // Out of the present one: the other one goes on.
  await menu(page).click();
  await entry(page, 'Sign out of this one').click();
  await greeted('Ada');
  await menu(page).click();
  assert.equal(await entry(page, /Bob Babbage/).count(), 0);
  await menu(page).click();

  // Out of the other one, from here.
  await add(bob);
  await menu(page).click();
  await entry(page, `Sign out of ${ada.email}`).click();
  await page.getByText('You are signed out.').first().waitFor();
  await greeted('Bob');

  // Out of all.
  await add(ada);
  await menu(page).click();
  await entry(page, 'Sign out of all').click();
  await page.getByText('You are signed out.').waitFor();
  await page.goto('/dashboard');
  assert.equal(path(page), places.signIn);
  await end();
});

// spec: SEC-1, STA-8
test('who has no password confirms with a code, and with a link', LONG, async () => {
  const { context, page, look, end } = await inspector(browser, app.url);
  const { email } = somebody();
  // A link to an address that nobody has makes an account without a password.
  await page.goto(await askForLink(page, email));
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL('**/dashboard');

  /** As it is when they signed in a while ago. */
  const refused = { status: 423, contentType: 'application/json', body: JSON.stringify({ message: 'Confirm', code: 'PASSWORD_CONFIRMATION_REQUIRED' }) };
  const ask = async () => {
    if (!isSpa) return page.goto('/confirm-password');
    let isRefused = false;
    await page.route('**/settings/two-factor', (route) => {
      if (route.request().method() === 'GET' || isRefused) return route.continue();
      isRefused = true;
      return route.fulfill(refused);
    });
    await page.goto('/settings/two-factor');
    await page.getByRole('button', { name: /^(Set it up|Cancel the set-up)/ }).first().click();
  };
  await ask();
  await page.getByRole('heading', { name: 'Is it you?' }).waitFor();
  await page.getByRole('button', { name: 'E-mail me a code' }).waitFor();
  assert.equal(await page.locator('input[type=password]:visible').count(), 0);
  await look('confirming without a password');
  await page.getByRole('button', { name: 'E-mail me a code' }).click();
  await codeField(page).waitFor();
  const code = await mailCode(context, email);
  await codeField(page).fill(another(code));
  await page.locator('[name=code][aria-invalid=true]').waitFor();
  await codeField(page).fill(code);
  // What was refused is done by itself where a script can do it.
  if (isSpa) await page.getByRole('img', { name: 'QR code with your key' }).waitFor();
  else await page.getByText('Now do again what you were about to do.').waitFor();

  const before = await mailLink(context, email, places.magicLink);
  await ask();
  await page.getByRole('button', { name: 'E-mail me a link' }).click();
  await page.getByText(isSpa ? 'A link is on its way to' : 'Look into your mail').first().waitFor();
  await look('a link to confirm with');
  await page.goto(await mailLink(context, email, places.magicLink, { after: before }));
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('Now do again what you were about to do.').waitFor();
  await end();
});

/** Plays a provider of captchas: `siteverify` over HTTP, and in the browser its script and its frame at its own address. */
const PROVIDERS = {
  turnstile: { host: 'https://challenges.cloudflare.com', field: 'cf-turnstile-response', global: 'turnstile', classed: 'cf-turnstile' },
  hcaptcha: { host: 'https://js.hcaptcha.com', field: 'h-captcha-response', global: 'hcaptcha', classed: 'h-captcha' },
  recaptcha: { host: 'https://www.google.com', field: 'g-recaptcha-response', global: 'grecaptcha', classed: 'g-recaptcha' },
};

const widgetScript = ({ host, field, global, classed }) => `(() => {
  let answers = 0
  const fill = (element) => { element.querySelector('[name]').value = window.isRobot ? '' : 'answer-' + Date.now() + '-' + (answers += 1) }
  const places = []
  const render = (element, options) => {
    element.innerHTML = '<iframe title="captcha" width="300" height="65"></iframe><textarea hidden></textarea>'
    element.querySelector('iframe').src = '${host}/recaptcha/frame?' + (options?.sitekey ?? element.dataset.sitekey)
    element.querySelector('textarea').name = '${field}'
    fill(element)
    return places.push(element) - 1
  }
  window['${global}'] = { render, ready: (then) => setTimeout(then), reset: (id) => fill(places[id]) }
  if (!document.currentScript.src.includes('render=explicit')) for (const element of document.querySelectorAll('.${classed}')) render(element)
})()`;

for (const [name, provider] of Object.entries(PROVIDERS)) {
  // spec: KEY-1
  test(`a captcha of ${name} is shown, asked about, and let through by the policy`, LONG, async () => {
    const asked = [];
    const verifier = createServer(async (request, response) => {
      let body = '';
      for await (const part of request) body += part;
      asked.push(body);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ success: !body.includes('refuse-me') }));
    });
    await new Promise((resolve) => verifier.listen(0, '127.0.0.1', resolve));
    Object.assign(process.env, { CAPTCHA_PROVIDER: name, CAPTCHA_VERIFY_URL: `http://127.0.0.1:${verifier.address().port}/siteverify` });
    const guarded = await startApp();
    delete process.env.CAPTCHA_VERIFY_URL;
    try {
      const { context, page, look, end } = await inspector(browser, guarded.url);
      const framed = [];
      await context.route(`${provider.host}/**`, (route) => {
        const isScript = route.request().resourceType() === 'script';
        if (!isScript) framed.push(route.request().url());
        const page = '<!doctype html><html lang="en"><title>captcha</title><body style="margin:0;font:14px sans-serif"><main><h1 style="font-size:14px">I am a person</h1></main>';
        return route.fulfill(isScript ? { contentType: 'text/javascript', body: widgetScript(provider) } : { contentType: 'text/html', body: page });
      });
      const drawn = () => page.locator('iframe[title=captcha]').waitFor();

      const { bytes, strangers } = await weigh(page, guarded.url);
      console.log(`# with ${name}: ${bytes} bytes of script of our own`);
      assert.ok(bytes <= MOST_SCRIPT, `${bytes} bytes of script`);
      assert.ok(strangers.length === 1 && strangers[0].startsWith(provider.host), strangers.join());

      // A robot has no answer, and nobody is asked about nothing.
      await page.addInitScript(() => (window.isRobot = true));
      const ada = somebody();
      await fillSignUp(page, ada);
      await drawn();
      await page.getByRole('button', { name: 'Create account' }).click();
      await page.getByText('Please show that you are not a robot.').first().waitFor();
      assert.deepEqual(asked, []);

      await page.addInitScript(() => (window.isRobot = false));
      await fillSignUp(page, ada);
      await drawn();
      await look(`sign-up with ${name}`);
      await page.getByRole('button', { name: 'Create account' }).click();
      await page.waitForURL('**/dashboard');
      assert.equal(asked.length, 1);
      assert.ok(asked[0].includes('answer-') && asked[0].includes('the-secret'), asked[0]);
      assert.ok(framed.some((url) => url.includes('the-site-key')), framed.join());

      await loseCookies(page);
      await page.goto(places.signIn);
      await drawn();
      await look(`sign-in with ${name}`);
      // Refused for the password: the next try brings an answer of its own.
      await signIn(page, ada.email, 'not the password');
      await page.getByRole('alert').first().waitFor();
      await drawn();
      await signIn(page, ada.email, ada.password);
      await page.waitForURL('**/dashboard');
      assert.equal(asked.length, 3);
      assert.equal(new Set(asked).size, 3, 'an answer works once');

      await loseCookies(page);
      await page.goto(places.signIn);
      await page.getByRole('link', { name: 'Forgot it?' }).click();
      await drawn();
      await page.getByLabel('E-mail').fill(ada.email);
      await page.getByRole('button', { name: 'Send the link' }).click();
      await page.getByRole('status').filter({ hasText: /\w/ }).first().waitFor();
      assert.equal(asked.length, 4);
      await end();
    } finally {
      await guarded.stop();
      verifier.close();
    }
  });
}
