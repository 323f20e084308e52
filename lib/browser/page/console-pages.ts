export const PAGE_GROUPS = ['build', 'pay', 'learn'] as const;

export interface ConsolePage {
  href: string;
  title: string;
  shortTitle?: string;
  group: (typeof PAGE_GROUPS)[number];
  /** True if a phone, which has room for five pages, shows this page under "More". */
  isFolded?: boolean;
}

export const CONSOLE_PAGES: readonly ConsolePage[] = [
  { href: '/', title: 'Overview', group: 'build' },
  { href: '/rpc', title: 'RPC', group: 'build' },
  { href: '/chat', title: 'Chat', group: 'build' },
  { href: '/speech', title: 'Speech', group: 'build', isFolded: true },
  { href: '/video', title: 'Video', group: 'build', isFolded: true },
  { href: '/top-up', title: 'Top up', group: 'pay' },
  { href: '/keys', title: 'Keys & staking', shortTitle: 'Keys', group: 'pay', isFolded: true },
  { href: '/usage', title: 'Usage', group: 'pay', isFolded: true },
  { href: '/receipts', title: 'Verify a receipt', shortTitle: 'Verify', group: 'pay', isFolded: true },
  { href: '/reference', title: 'API reference', shortTitle: 'API', group: 'learn', isFolded: true },
];

export const TOP_UP_PAGE: string | null = CONSOLE_PAGES.find(({ href }) => href === '/top-up')?.href ?? null;

/** Returns the URL of the RPC page with this call filled in. Unlike `requestHref`, loads no request parser. */
export function callHref(network: string, method: string, params: readonly unknown[] = []): string {
  return `/rpc?${new URLSearchParams({ network, method, params: JSON.stringify(params) }).toString()}`;
}

/** Returns the URL of the RPC page with this request filled in. */
export function bodyHref(network: string, text: string): string {
  return rpcHref(new URLSearchParams({ network, body: text }));
}

/**
 * A longer query goes into the fragment, which browsers do not send to the server. Request lines are limited to about
 * 16 KB.
 */
const QUERY_CHARACTERS_MAX = 6000;

export function rpcHref(search: URLSearchParams): string {
  const query = search.toString();
  return `/rpc${query.length <= QUERY_CHARACTERS_MAX ? '?' : '#'}${query}`;
}
