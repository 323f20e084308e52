import type { Page } from '@playwright/test';

/** Hosts that the page may reach. */
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/**
 * Replaces WalletConnect's relay and all other remote hosts, so that no request leaves the machine. The relay accepts
 * every message, but no wallet is connected to it.
 * @returns the methods that the page called, in order
 */
export async function standInForRelay(page: Page): Promise<string[]> {
  const called: string[] = [];
  await page.context().route(
    (url) => !LOOPBACK.test(url.hostname),
    (route) => route.fulfill({ json: {} }),
  );
  await page.routeWebSocket(/relay\.walletconnect/, (socket) => {
    socket.onMessage((message) => {
      const { id, method } = JSON.parse(String(message)) as { id: number; method?: string };
      if (method === undefined) return;
      called.push(method);
      socket.send(
        JSON.stringify({
          id,
          jsonrpc: '2.0',
          result:
            method === 'irn_subscribe'
              ? 'aa'.repeat(32)
              : method === 'irn_batchFetchMessages'
                ? { messages: [], hasMore: false }
                : true,
        }),
      );
    });
  });
  await page.route('**/api/settings', async (route) => {
    const response = await route.fetch();
    await route.fulfill({
      response,
      json: { ...((await response.json()) as object), walletConnectProjectId: '0123456789abcdef0123456789abcdef' },
    });
  });
  return called;
}
