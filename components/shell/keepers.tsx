'use client';

import { FocusKeeper } from './focus-keeper';
import { PaymentKeeper } from './payment-keeper';
import { ScrollKeeper } from './scroll-keeper';

/**
 * Restores focus and scroll positions, and tracks payments.
 *
 * @param from path of the page shown first
 * @param path target of the user's first input, with its ancestors
 */
export function Keepers({ from, path }: { from: string; path: readonly EventTarget[] }) {
  return (
    <>
      <FocusKeeper path={path} />
      <ScrollKeeper from={from} />
      <PaymentKeeper />
    </>
  );
}
