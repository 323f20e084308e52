import { KeysPage } from '@/components/keys/keys-page';
import { KnownData } from '@/components/shell/known-data';
import { askKnownStaking } from '@/lib/browser/reads/known-facts';
import type { Metadata } from 'next';
import { OWN_GATEWAY } from '../own-gateway';

export const metadata: Metadata = { title: 'Keys & staking' };

export default async function KeysRoute() {
  return (
    <KnownData known={await askKnownStaking(OWN_GATEWAY)}>
      <KeysPage />
    </KnownData>
  );
}
