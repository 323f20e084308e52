'use client';

import { useBrand } from '@/lib/browser/reads/settings';
import type { ComponentProps } from 'react';
import { cn } from './class-names';
import { uiWords } from './words';

/** Shows the operator's logo, else the built-in logo. */
export function BrandMark({ className }: { className: string }) {
  const { logo } = useBrand();
  if (logo === null) return <Lamp className={className} />;
  // An `<img>` prevents scripts and styles in an SVG file from affecting the page.
  // oxlint-disable-next-line nextjs/no-img-element -- The gateway serves the image itself.
  return <img src={logo} alt="" className={className} />;
}

export function BrandName() {
  return useBrand().name;
}

function Lamp(props: ComponentProps<'svg'>) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden {...props}>
      <path
        d="M12 1.5v2.6M7 5.4h10M6.8 21.5h10.4"
        stroke="currentColor"
        strokeWidth="1.8"
        strokeLinecap="round"
        fill="none"
      />
      <path d="M7.9 7.2h8.2l1 9.4a1.4 1.4 0 0 1-1.4 1.6H8.3a1.4 1.4 0 0 1-1.4-1.6z" fill="var(--color-amber)" />
      <path d="M12 9c1.7 1.8 2.5 3 2.5 4.4a2.5 2.5 0 0 1-5 0C9.500 12 10.300 10.800 12 9z" fill="#fff6e0" />
    </svg>
  );
}

const KINDS = ['terms', 'privacy', 'support', 'status'] as const;

/** Links to the operator's pages. Renders nothing if no page is configured. */
export function BrandLinks({ className }: { className?: string }) {
  const { links } = useBrand();
  const shown = KINDS.flatMap((kind) => {
    const href = links[kind];
    return href === undefined ? [] : [{ kind, href }];
  });
  if (shown.length === 0) return null;
  return (
    <ul aria-label={uiWords.operatorPages.name} className={cn('flex flex-wrap gap-x-3 gap-y-1 text-xs', className)}>
      {shown.map(({ kind, href }) => (
        <li key={kind}>
          <a href={href} target="_blank" rel="noreferrer" className="text-dim hover:text-ink hover:underline">
            {uiWords.operatorPages[kind]}
          </a>
        </li>
      ))}
    </ul>
  );
}
