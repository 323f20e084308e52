import { TopUpPage } from '@/components/top-up/top-up-page';
import { KnownData } from '@/components/shell/known-data';
import { askKnownPrices } from '@/lib/browser/reads/known-facts';
import type { Metadata } from 'next';
import { OWN_GATEWAY } from '../own-gateway';

export const metadata: Metadata = { title: 'Top up' };

export default async function TopUpRoute() {
  return (
    <KnownData known={await askKnownPrices(OWN_GATEWAY)}>
      <TopUpPage />
    </KnownData>
  );
}
