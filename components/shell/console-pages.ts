/** One page of the console, as the rail and the command palette show it. */
export interface ConsolePage {
  href: string;
  title: string;
  /** Where there is room for one word. */
  shortTitle?: string;
  /** Whether it is behind "More" at the bottom of a phone, where there is room for five. */
  isFolded?: boolean;
}

/** The pages in the order of the rail. */
export const CONSOLE_PAGES: readonly ConsolePage[] = [
  { href: '/', title: 'Overview' },
  { href: '/keys', title: 'Keys & staking', shortTitle: 'Keys', isFolded: true },
  { href: '/top-up', title: 'Top up' },
  { href: '/rpc', title: 'RPC' },
  { href: '/chat', title: 'Chat' },
  { href: '/speech', title: 'Speech', isFolded: true },
  { href: '/video', title: 'Video', isFolded: true },
  { href: '/usage', title: 'Usage', isFolded: true },
  { href: '/reference', title: 'API reference', shortTitle: 'API', isFolded: true },
];

/** Where balances are topped up; null while the console has no page for it. */
export const TOP_UP_PAGE: string | null = CONSOLE_PAGES.find(({ href }) => href === '/top-up')?.href ?? null;
