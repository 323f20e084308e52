'use client';

import Link from 'next/link';
import { type ComponentProps, useState } from 'react';

/**
 * A link to a page of the console, which is fetched whole once somebody points at it, touches it or moves the focus
 * there: it is there with the click. By themselves links would be asked for as soon as they are seen, all of them again
 * whenever the address changes, and get nothing but a frame, since pages are rendered for each visit.
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
