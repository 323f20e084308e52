import { type ConsoleMessage, test as base } from '@playwright/test';
import { ChatPage } from './pages/chat-page';
import { ComparePanel } from './pages/compare-panel';
import { FailureCard } from './pages/failure-card';
import { ReferencePage } from './pages/reference-page';
import { RpcPage } from './pages/rpc-page';
import { Shell } from './pages/shell';
import { SpeechPage } from './pages/speech-page';
import { TopUpPage } from './pages/top-up-page';
import { VideoPage } from './pages/video-page';
import { Wallets } from './pages/wallets';

export { expect } from '@playwright/test';

interface Console {
  chat: ChatPage;
  compare: ComparePanel;
  failure: FailureCard;
  reference: ReferencePage;
  rpc: RpcPage;
  shell: Shell;
  speech: SpeechPage;
  topUp: TopUpPage;
  videos: VideoPage;
  wallets: Wallets;
  /** Script errors and policy violations in the browser's console. */
  complaints: string[];
}

/** Runs tests of the console. A test fails if its page threw an error or violated its Content Security Policy. */
export const test = base.extend<Console>({
  complaints: [
    async ({ page }, provide) => {
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`));
      page.on('console', (message) => {
        if (message.type() === 'error' && !isRefusedRequest(message) && !isNoteOnPlainHttp(message))
          complaints.push(message.text());
      });
      await provide(complaints);
      // A request in a test's route must not outlive the page.
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      base.expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
  chat: async ({ page }, provide) => provide(new ChatPage(page)),
  compare: async ({ page }, provide) => provide(new ComparePanel(page)),
  failure: async ({ page }, provide) => provide(new FailureCard(page)),
  reference: async ({ page }, provide) => provide(new ReferencePage(page)),
  rpc: async ({ page }, provide) => provide(new RpcPage(page)),
  shell: async ({ page }, provide) => provide(new Shell(page)),
  speech: async ({ page }, provide) => provide(new SpeechPage(page)),
  topUp: async ({ page }, provide) => provide(new TopUpPage(page)),
  videos: async ({ page }, provide) => provide(new VideoPage(page)),
  wallets: async ({ page }, provide) => provide(new Wallets(page)),
});

/** Browsers log answers of 400 and above as errors, and some tests cause these on purpose. */
function isRefusedRequest(message: ConsoleMessage): boolean {
  return message.text().startsWith('Failed to load resource');
}

/** For each page over plain HTTP, Chromium logs which headers it ignores. */
function isNoteOnPlainHttp(message: ConsoleMessage): boolean {
  return message.text().startsWith('The Cross-Origin-Opener-Policy header has been ignored, because the URL');
}
