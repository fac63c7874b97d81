// Drives a browser for Java tests: reads a command per line from standard input, as JSON, and
// answers each with a line {"ok": true, "value": …} or {"ok": false, "error": …}.
//
// usage: node driver.mjs BROWSER TIMEOUT_MILLIS

import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {createInterface} from 'node:readline';
import {chromium} from 'playwright-core';

const [executablePath, timeout] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const browser = await chromium.launch({executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage']});
const page = await browser.newPage({viewport: {width: 1280, height: 720}});
page.setDefaultTimeout(Number(timeout));
const complaints = [];
page.on('pageerror', error => complaints.push(String(error)));
page.on('dialog', dialog => {
  complaints.push(`a dialog opened: ${dialog.message()}`);
  dialog.dismiss();
});
page.on('console', message => {
  if (message.type() === 'error') {
    complaints.push(message.text());
  }
});

const commands = {
  open: ({url}) => page.goto(url).then(() => null),
  awaitText: ({selector, text}) =>
    page.locator(selector).filter({hasText: new RegExp(text)}).first().waitFor().then(() => null),
  awaitNoText: ({selector, text}) =>
    page.locator(selector).filter({hasText: new RegExp(text)}).first().waitFor({state: 'detached'}).then(() => null),
  text: ({selector}) => page.locator(selector).first().innerText(),
  count: ({selector}) => page.locator(selector).count(),
  fill: ({selector, text}) => page.locator(selector).fill(text).then(() => null),
  select: ({selector, text}) => page.locator(selector).selectOption(text).then(() => null),
  click: ({selector}) => page.locator(selector).first().click().then(() => null),
  press: ({key}) => page.keyboard.press(key).then(() => null),
  focused: () => page.evaluate(() => document.activeElement?.textContent?.trim() ?? ''),
  theme: ({text}) => page.emulateMedia({colorScheme: text}).then(() => null),
  screenshot: ({path}) => page.screenshot({path}).then(() => null),
  complaints: () => complaints,
  async violations() {
    await page.evaluate(axe);
    const found = await page.evaluate(() => globalThis.axe.run());
    return found.violations.flatMap(violation =>
      violation.nodes.map(node => `${violation.id}: ${node.html} (${node.failureSummary})`));
  },
};

for await (const line of createInterface({input: process.stdin})) {
  const command = JSON.parse(line);
  let answer;
  try {
    answer = {ok: true, value: await commands[command.do](command)};
  } catch (error) {
    answer = {ok: false, error: String(error)};
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
await browser.close();
