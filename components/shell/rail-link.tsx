'use client';

import { cn } from '@/components/ui/class-names';
import { PageLink } from '@/components/ui/page-link';
import { useIsPageOffered } from '@/lib/browser/offers';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import type { ConsolePage } from './console-pages';

interface RailLinkProps {
  page: ConsolePage;
  icon: ReactNode;
  className: string;
  labelClassName?: string;
  short?: boolean;
}

export function RailLink({
  page: { href, title, shortTitle },
  icon,
  className,
  labelClassName,
  short = false,
}: RailLinkProps) {
  const current = usePathname() === href;
  const isOffered = useIsPageOffered()(href);
  if (!isOffered && !current) return null;
  return (
    <PageLink
      href={href}
      title={title}
      aria-current={current ? 'page' : undefined}
      className={cn(
        'flex items-center gap-2.5 rounded-md text-sm transition-colors',
        current ? 'bg-hover font-medium text-ink' : 'text-dim hover:bg-hover hover:text-ink',
        className,
      )}
    >
      {icon}
      <span className={labelClassName}>{short ? (shortTitle ?? title) : title}</span>
    </PageLink>
  );
}
