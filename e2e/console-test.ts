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
  /** What the browser's console must stay free of: script errors and violations of the security policy. */
  complaints: string[];
}

/** Tests of the console. Each fails if its page threw, or broke its Content Security Policy. */
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
      // A request that is still being answered by a test's route must not outlive the page.
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

/** The browser notes every answer of 400 and more as an error; those are the subject of some tests. */
function isRefusedRequest(message: ConsoleMessage): boolean {
  return message.text().startsWith('Failed to load resource');
}

/** Chromium says of every page by plain HTTP which headers it leaves aside there. */
function isNoteOnPlainHttp(message: ConsoleMessage): boolean {
  return message.text().startsWith('The Cross-Origin-Opener-Policy header has been ignored, because the URL');
}
