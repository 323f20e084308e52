import {
  BookOpenText,
  ChartColumn,
  Clapperboard,
  Gauge,
  KeySquare,
  type LucideIcon,
  MessageSquareLock,
  Mic,
  ReceiptText,
  WalletCards,
  Waypoints,
} from 'lucide-react';

/** Icons by path. The list of pages has no icons, because some code needs only the list. */
export const CONSOLE_PAGE_ICONS: Readonly<Record<string, LucideIcon>> = {
  '/': Gauge,
  '/keys': KeySquare,
  '/top-up': WalletCards,
  '/rpc': Waypoints,
  '/chat': MessageSquareLock,
  '/speech': Mic,
  '/video': Clapperboard,
  '/usage': ChartColumn,
  '/receipts': ReceiptText,
  '/reference': BookOpenText,
};
