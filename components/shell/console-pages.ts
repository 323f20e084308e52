import { BookOpenText, ChartColumn, Clapperboard, Gauge, KeySquare, type LucideIcon, MessageSquareLock, Mic, WalletCards, Waypoints } from 'lucide-react';

/** One page of the console, as the rail and the command palette show it. */
export interface ConsolePage {
  href: string;
  title: string;
  /** Where there is room for one word. */
  shortTitle?: string;
  icon: LucideIcon;
  /** Whether it is behind "More" at the bottom of a phone, where there is room for five. */
  isFolded?: boolean;
}

/** The pages in the order of the rail. */
export const CONSOLE_PAGES: readonly ConsolePage[] = [
  { href: '/', title: 'Overview', icon: Gauge },
  { href: '/keys', title: 'Keys & staking', shortTitle: 'Keys', icon: KeySquare, isFolded: true },
  { href: '/top-up', title: 'Top up', icon: WalletCards },
  { href: '/rpc', title: 'RPC', icon: Waypoints },
  { href: '/chat', title: 'Chat', icon: MessageSquareLock },
  { href: '/speech', title: 'Speech', icon: Mic, isFolded: true },
  { href: '/video', title: 'Video', icon: Clapperboard, isFolded: true },
  { href: '/usage', title: 'Usage', icon: ChartColumn, isFolded: true },
  { href: '/reference', title: 'API reference', shortTitle: 'API', icon: BookOpenText, isFolded: true },
];

/** Where balances are topped up; null while the console has no page for it. */
export const TOP_UP_PAGE: string | null = CONSOLE_PAGES.find(({ href }) => href === '/top-up')?.href ?? null;
