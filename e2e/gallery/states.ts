import { expect, type Page } from '@playwright/test';
import { CONSOLE_PAGES } from '@/lib/browser/page/console-pages';
import type { ChatPage } from '../pages/chat-page';
import { showEditor } from '../pages/json-editor';
import type { RpcPage } from '../pages/rpc-page';
import type { Shell } from '../pages/shell';
import type { SpeechPage } from '../pages/speech-page';
import type { TopUpPage } from '../pages/top-up-page';
import type { Wallets } from '../pages/wallets';

/** Page objects with which the tests reach a state. */
interface Parts {
  page: Page;
  wallets: Wallets;
  rpc: RpcPage;
  chat: ChatPage;
  speech: SpeechPage;
  topUp: TopUpPage;
  shell: Shell;
  baseUrl: string;
}

/** A page of the console in one state. */
export interface GalleryState {
  page: string;
  state: string;
  show: (parts: Parts) => Promise<void>;
}

const PAGES = CONSOLE_PAGES.map(({ href }) => href);
const CALL = '?network=sandbox-testnet&method=eth_blockNumber';
const BUSY = {
  status: 503,
  json: { error: 'The service is overloaded.', code: 'OVERLOADED', hint: 'Send the call again in a moment.' },
};

const ASKED_AGAIN_MS = 4_500;

/** States of every page: first visit, loading, failing gateway, no network. */
const everywhere = PAGES.flatMap((path): GalleryState[] => [
  { page: path, state: 'first visit', show: ({ page }) => settled(page, path) },
  {
    page: path,
    state: 'loading',
    show: async ({ page }) => {
      await page.route(/\/api\/(?!health)/, () => undefined);
      await page.goto(path);
    },
  },
  {
    page: path,
    state: 'error',
    show: async ({ page }) => {
      await page.route(/\/api\/(?!health|settings|sandbox)/, (route) => route.fulfill(BUSY));
      await settled(page, path);
      // A page retries after one second and again after two before it shows an error.
      await page.waitForTimeout(ASKED_AGAIN_MS);
    },
  },
  {
    page: path,
    state: 'offline',
    show: async ({ page }) => {
      await settled(page, path);
      await page.context().setOffline(true);
      await expect(page.getByText('You are offline.')).toBeVisible();
    },
  },
  {
    page: path,
    state: 'wallet connected',
    show: async ({ page, wallets }) => {
      await page.goto(path);
      await wallets.connectFunded('ethereum', 'Demo wallet');
      await page.waitForLoadState('networkidle');
    },
  },
]);

const done: GalleryState[] = [
  {
    page: '/',
    state: 'done',
    show: async ({ page, rpc }) => {
      await rpc.open(CALL);
      await rpc.send();
      await expect(rpc.answer).toContainText('result:');
      await settled(page, '/');
    },
  },
  {
    page: '/keys',
    state: 'done',
    show: async ({ page, wallets }) => {
      await page.goto('/keys');
      await wallets.connectFunded('ethereum', 'Demo wallet');
      await wallets.typeAmount(wallets.stake, '12.5');
      await wallets.answer('Send');
      await wallets.answer('Send');
      await expect(wallets.fact(wallets.stake, 'Staked')).toHaveText('12.5');
      await wallets.mint.getByRole('button', { name: 'Mint a key' }).click();
      await wallets.answer('Sign');
      await wallets.newKey();
    },
  },
  {
    page: '/top-up',
    state: 'review',
    show: async ({ page, wallets, topUp }) => {
      await page.goto('/top-up');
      await wallets.connectFunded('ethereum', 'Demo wallet');
      await topUp.pay.getByLabel('Another amount').fill('10');
      await topUp.review();
    },
  },
  {
    page: '/top-up',
    state: 'done',
    show: async ({ page, wallets, topUp }) => {
      await page.goto('/top-up');
      await wallets.connectFunded('ethereum', 'Demo wallet');
      await topUp.pay.getByLabel('Another amount').fill('10');
      await topUp.review();
      await topUp.sign();
      await wallets.answer('Sign');
      await expect(topUp.receipt).toBeVisible();
    },
  },
  {
    page: '/rpc',
    state: 'done',
    show: async ({ rpc }) => {
      await rpc.open(CALL);
      await rpc.send();
      await expect(rpc.answer).toContainText('result:');
    },
  },
  {
    page: '/chat',
    state: 'done',
    show: async ({ chat }) => {
      await chat.open('e2ee-guide');
      await chat.ask('How is an RPC call priced?');
    },
  },
  {
    page: '/speech',
    state: 'done',
    show: async ({ speech }) => {
      await speech.open();
      await speech.speak('A toll road has a gate. This one has a price on it.');
      await speech.whole();
    },
  },
  {
    page: '/video',
    state: 'done',
    show: async ({ page }) => {
      await page.goto('/video');
      await page.getByLabel('Prompt').fill('A toll gate at dawn');
      await page.getByRole('button', { name: 'Make the video' }).click();
      await expect(page.getByRole('article', { name: 'A toll gate at dawn' }).locator('video')).toBeVisible({
        timeout: 60_000,
      });
    },
  },
  {
    page: '/usage',
    state: 'done',
    show: async ({ page, rpc }) => {
      await rpc.open(CALL);
      await rpc.send();
      await expect(rpc.answer).toContainText('result:');
      await settled(page, '/usage');
    },
  },
];

const overlays: GalleryState[] = [
  {
    page: '/',
    state: 'dialog wallets',
    show: async ({ page, wallets }) => (await page.goto('/'), wallets.openDialog()),
  },
  {
    page: '/',
    state: 'dialog wallets connected',
    show: async ({ page, wallets }) => {
      await page.goto('/');
      await wallets.openDialog();
      await wallets.connect('ethereum', 'Demo wallet');
      await wallets.connect('solana', 'Demo wallet');
      await wallets.fund();
    },
  },
  {
    page: '/',
    state: 'dialog shortcuts',
    show: async ({ page }) => (await settled(page, '/'), page.keyboard.press('?'), visible(page, 'dialog')),
  },
  {
    page: '/',
    state: 'dialog search',
    show: async ({ page, shell }) => (await settled(page, '/'), shell.search('block')),
  },
  {
    page: '/',
    state: 'panel who pays',
    show: async ({ page, shell }) => (await settled(page, '/'), await shell.payer.click(), visible(page, 'dialog')),
  },
  { page: '/', state: 'dialog faucet', show: async ({ page }) => opened(page, 'Faucet') },
  { page: '/', state: 'dialog stand-ins', show: async ({ page }) => opened(page, 'What is a stand-in?') },
  { page: '/', state: 'panel theme', show: async ({ page }) => opened(page, /^Theme/) },
  {
    page: '/rpc',
    state: 'failure card',
    show: async ({ rpc, shell, page }) => {
      await rpc.open(CALL);
      await shell.useRefusedKey('tpk_this-key-was-never-made');
      await rpc.send();
      await expect(page.getByRole('main').getByRole('alert')).toContainText('does not recognize the key');
    },
  },
  {
    page: '/chat',
    state: 'failure card',
    show: async ({ page, chat, wallets }) => {
      await askWithEmptyWallet({ page, chat, wallets });
      await expect(page.getByRole('main').getByRole('alert')).toContainText('too low for this call');
    },
  },
  {
    page: '/chat',
    state: 'dialog top up',
    show: async ({ page, chat, wallets }) => {
      await askWithEmptyWallet({ page, chat, wallets });
      await page.getByRole('main').getByRole('alert').getByRole('button', { name: 'Top up' }).click();
      await expect(page.getByRole('dialog', { name: 'Top up' }).getByLabel('Another amount')).toBeVisible();
    },
  },
  {
    page: '/rpc',
    state: 'a private key pasted',
    show: async ({ page }) => {
      await page.goto('/rpc');
      await showEditor(page);
      await page.getByRole('button', { name: 'Options' }).click();
      await page.getByLabel('Idempotency-Key').fill('ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');
      await expect(page.getByText('It was not entered, stored or sent.')).toBeVisible();
    },
  },
  { page: '/no-such-page', state: 'not found', show: ({ page }) => settled(page, '/no-such-page') },
];

/** All states, by page. */
export const STATES: readonly GalleryState[] = [...everywhere, ...done, ...overlays];

async function askWithEmptyWallet({ page, chat, wallets }: Pick<Parts, 'page' | 'chat' | 'wallets'>): Promise<void> {
  await page.goto('/chat');
  await wallets.connectFunded('ethereum', 'Demo wallet');
  await wallets.openDialog();
  await wallets.ethereum.getByRole('button', { name: 'Sign in to pay with this wallet' }).click();
  await wallets.answer('Sign');
  await expect(wallets.ethereum).toContainText('pays for calls');
  await wallets.close();
  await chat.begin('What does one call cost?');
}

async function settled(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.waitForLoadState('networkidle');
}

async function opened(page: Page, button: string | RegExp): Promise<void> {
  await settled(page, '/');
  await page.getByRole('button', { name: button }).first().click();
  await visible(page, 'dialog');
}

function visible(page: Page, role: 'dialog'): Promise<void> {
  return expect(page.getByRole(role).first()).toBeVisible();
}
