import './parts/node-version.mjs';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { provideBrowser } from './parts/browser-provision.mjs';
import { UsageError, readOptions, runCommand } from './parts/command-line.mjs';
import { ensureInstalled } from './parts/installation.mjs';
import { writeGalleryIndex } from './parts/gallery-index.mjs';
import { freePort, isFree } from './parts/listen-address.mjs';
import { endOnStopSignal, runToEnd, spawnGroup, stopGroup } from './parts/process-groups.mjs';
import { ensureBuilt } from './parts/production-build.mjs';
import { createProgress } from './parts/progress.mjs';
import { inRepository } from './parts/repository.mjs';
import { terminalPage } from './parts/terminal-image.mjs';

const help = `
npm run screenshots -- [options]

Starts the product on new data, runs the printed command, and makes the README's
pictures in docs/images.

With --gallery, makes pictures of every page of the console instead, in every
state (first visit, loading, error, offline, done, dialogs), in both themes, at
390, 768 and 1440 px, with an index.html.

  --gallery FOLDER   folder for the pictures
  --only WORDS       only states whose page or name has these words, such as
                     "chat done"
  -h, --help         this text
`;

const usualPort = 3000;
const lastLine = 'Ctrl-C stops it';

/** `npm run screenshots`. @returns {Promise<number>} exit code */
async function screenshots() {
  const { gallery, only } = readOptions(help, { gallery: { type: 'string' }, only: { type: 'string' } });
  endOnStopSignal();
  const progress = createProgress();
  await ensureInstalled(progress);
  await ensureBuilt(progress);
  const browser = await provideBrowser(() => {});
  if (!browser) throw new UsageError('No browser was found. Install Chromium, or set CHROMIUM_PATH.');

  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'turnpike-screenshots-'));
  const port = (await isFree({ host: '127.0.0.1', port: usualPort })) ? usualPort : await freePort();
  const product = startProduct(port, folder);
  try {
    const printed = await product.ready;
    const curl = /^curl .*$/m.exec(printed)?.[0] ?? '';
    const url = /^curl -i (http:\/\/[^/]+)/.exec(curl)?.[1] ?? '';
    if (gallery !== undefined)
      return await makeGallery(progress, { url, browserPath: browser.path, gallery: path.resolve(gallery), only });
    const answer = await runToEnd('sh', ['-c', `${curl} --silent --show-error`]);
    if (answer.code !== 0) throw new UsageError(`The printed command failed:\n${answer.output}`);
    const session = [
      prompt('npm start'),
      printed.trim(),
      '',
      prompt(curl),
      answer.output.replaceAll('\r', '').trim(),
    ].join('\n');

    const step = progress.step('docs/images/terminal.png');
    await photographTerminal(session, browser.path);
    step.done();
    return await photographConsole(progress, url, browser.path);
  } finally {
    await product.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Runs `npm start` so that it prints as on a terminal.
 * @param {number} port
 * @param {string} folder folder for the gateway's data
 */
function startProduct(port, folder) {
  const args = [
    inRepository('scripts/start.mjs'),
    '--port',
    String(port),
    '--data',
    path.join(folder, 'data'),
    '--profile',
    'sandbox',
  ];
  const env = { ...process.env, FORCE_COLOR: '1', LOG_LEVEL: 'silent' };
  const child = spawnGroup(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  /** @type {Promise<string>} */
  const ready = new Promise((resolve, reject) => {
    /** @param {Buffer} chunk */
    const collect = (chunk) => {
      printed += chunk.toString('utf8');
      if (printed.includes(lastLine)) resolve(printed);
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    child.once('exit', () => reject(new UsageError(printed)));
  });
  return { ready, stop: () => stopGroup(child) };
}

/** @param {string} command */
function prompt(command) {
  return `\x1b[32m$\x1b[39m \x1b[1m${command}\x1b[22m`;
}

/** @param {string} session @param {string} browserPath */
async function photographTerminal(session, browserPath) {
  const { chromium } = await import('@playwright/test');
  const browser = await chromium.launch({ executablePath: browserPath });
  try {
    const page = await browser.newPage({ deviceScaleFactor: 2 });
    await page.setContent(terminalPage(session));
    await page.evaluate('document.fonts.ready');
    fs.mkdirSync(inRepository('docs/images'), { recursive: true });
    await page.locator('pre').screenshot({ path: inRepository('docs/images/terminal.png') });
  } finally {
    await browser.close();
  }
}

/**
 * Runs the console's own script, which takes the screenshots of the pages.
 *
 * @param {import('./parts/progress.mjs').Progress} progress
 * @param {string} url
 * @param {string} browserPath
 */
async function photographConsole(progress, url, browserPath) {
  const step = progress.step('Pages of the console');
  const env = { ...process.env, E2E_BASE_URL: url, CHROMIUM_PATH: browserPath };
  const { code, output } = await runToEnd(process.execPath, [inRepository('e2e/screenshots.mjs')], {
    cwd: inRepository(),
    env,
    onLine: step.update,
  });
  if (code === 0) step.done();
  else {
    step.failed();
    progress.line(output);
  }
  return code;
}

/**
 * @param {import('./parts/progress.mjs').Progress} progress
 * @param {{url: string, browserPath: string, gallery: string, only: string | undefined}} options
 */
async function makeGallery(progress, { url, browserPath, gallery, only }) {
  fs.mkdirSync(gallery, { recursive: true });
  const step = progress.step('Pages of the console');
  const env = { ...process.env, E2E_BASE_URL: url, CHROMIUM_PATH: browserPath, GALLERY_FOLDER: gallery };
  const args = [
    inRepository('node_modules/@playwright/test/cli.js'),
    'test',
    '--config',
    inRepository('e2e/gallery'),
    ...(only === undefined ? [] : ['--grep', only]),
  ];
  const { code, output } = await runToEnd(process.execPath, args, { cwd: inRepository(), env, onLine: step.update });
  const count = writeGalleryIndex(gallery);
  if (code === 0) step.done();
  else {
    step.failed();
    progress.line(output);
  }
  progress.line(`${count} pictures: ${path.join(gallery, 'index.html')}`);
  return code;
}

await runCommand(screenshots);
