'use client';

import { cn } from '@/components/ui/class-names';
import { PageLink } from '@/components/ui/page-link';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import type { ConsolePage } from './console-pages';

interface RailLinkProps {
  page: ConsolePage;
  icon: ReactNode;
  className: string;
  labelClassName?: string;
  /** Named by one word. */
  short?: boolean;
  /** For an address that has no page on the server, so that there is nothing to fetch ahead. */
  isLoadedWhole?: boolean;
}

/** A link to a page, which shows whether one is there. */
export function RailLink({ page: { href, title, shortTitle }, icon, className, labelClassName, short = false, isLoadedWhole = false }: RailLinkProps) {
  const current = usePathname() === href;
  const Anchor = isLoadedWhole ? 'a' : PageLink;
  return (
    <Anchor
      href={href}
      title={title}
      aria-current={current ? 'page' : undefined}
      className={cn('flex items-center gap-2.5 rounded-md text-sm transition-colors', current ? 'bg-hover font-medium text-ink' : 'text-dim hover:bg-hover hover:text-ink', className)}
    >
      {icon}
      <span className={labelClassName}>{short ? (shortTitle ?? title) : title}</span>
    </Anchor>
  );
}
