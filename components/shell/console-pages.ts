export interface ConsolePage {
  href: string;
  title: string;
  shortTitle?: string;
  /** True if a phone, which has room for five pages, shows the page under "More". */
  isFolded?: boolean;
}

export const CONSOLE_PAGES: readonly ConsolePage[] = [
  { href: '/', title: 'Overview' },
  { href: '/keys', title: 'Keys & staking', shortTitle: 'Keys', isFolded: true },
  { href: '/top-up', title: 'Top up' },
  { href: '/rpc', title: 'RPC' },
  { href: '/chat', title: 'Chat' },
  { href: '/speech', title: 'Speech', isFolded: true },
  { href: '/video', title: 'Video', isFolded: true },
  { href: '/usage', title: 'Usage', isFolded: true },
  { href: '/receipts', title: 'Receipts', isFolded: true },
  { href: '/reference', title: 'API reference', shortTitle: 'API', isFolded: true },
];

/** Path of the top-up page; null if the console has none. */
export const TOP_UP_PAGE: string | null = CONSOLE_PAGES.find(({ href }) => href === '/top-up')?.href ?? null;
