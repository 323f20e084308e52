import { Overview } from '@/components/overview/overview';
import { KnownData } from '@/components/shell/known-data';
import { askKnownPrices } from '@/lib/browser/reads/known-facts';
import { OWN_GATEWAY } from './own-gateway';

export default async function OverviewPage() {
  return (
    <KnownData known={await askKnownPrices(OWN_GATEWAY)}>
      <Overview />
    </KnownData>
  );
}
