'use client';

import { FocusKeeper } from './focus-keeper';
import { PaymentKeeper } from './payment-keeper';
import { ScrollKeeper } from './scroll-keeper';

/** What keeps somebody's place on the page, and an eye on their payments. @param from the page that was shown at first */
export function Keepers({ from }: { from: string }) {
  return (
    <>
      <FocusKeeper />
      <ScrollKeeper from={from} />
      <PaymentKeeper />
    </>
  );
}
