import {
  BookOpenText,
  ChartColumn,
  Clapperboard,
  Gauge,
  KeySquare,
  type LucideIcon,
  MessageSquareLock,
  Mic,
  WalletCards,
  Waypoints,
} from 'lucide-react';

/** The icon of each page, by its path. Apart from the list of pages, which code that shows none of them needs. */
export const CONSOLE_PAGE_ICONS: Readonly<Record<string, LucideIcon>> = {
  '/': Gauge,
  '/keys': KeySquare,
  '/top-up': WalletCards,
  '/rpc': Waypoints,
  '/chat': MessageSquareLock,
  '/speech': Mic,
  '/video': Clapperboard,
  '/usage': ChartColumn,
  '/reference': BookOpenText,
};
