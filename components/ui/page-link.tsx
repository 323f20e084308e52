'use client';

import Link from 'next/link';
import { type ComponentProps, useState } from 'react';

/**
 * Link to a page of the console. Prefetches the page when hovered, touched or focused. Next's own prefetch would repeat
 * for every visible link after each change of the URL, and would fetch only skeletons.
 */
export function PageLink({ onPointerEnter, onFocus, onTouchStart, ...props }: ComponentProps<typeof Link>) {
  const [isMeant, setIsMeant] = useState(false);
  return (
    <Link
      {...props}
      prefetch={isMeant}
      onPointerEnter={(event) => {
        setIsMeant(true);
        onPointerEnter?.(event);
      }}
      onFocus={(event) => {
        setIsMeant(true);
        onFocus?.(event);
      }}
      onTouchStart={(event) => {
        setIsMeant(true);
        onTouchStart?.(event);
      }}
    />
  );
}
