'use client';

import type { Credential } from '@/lib/browser/credential';
import { AccessFacts } from './access-facts';
import { DollarTable } from './dollar-table';
import { FirstCall } from './first-call';
import { ModelList } from './model-list';
import { NetworkGrid } from './network-grid';
import { RecentCalls } from './recent-calls';

export interface LowerHalfProps {
  network: string;
  credential: Credential;
  methodCount: number;
}

/** What the overview shows below the fold: the first call in code, the last ones, prices, networks and models. */
export function LowerHalf({ network, credential, methodCount }: LowerHalfProps) {
  return (
    <div className="grid gap-8">
      <div className="grid gap-8 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <FirstCall network={network} credential={credential} />
        <RecentCalls network={network} />
        <DollarTable />
        <AccessFacts credential={credential} methodCount={methodCount} />
      </div>
      <NetworkGrid />
      <ModelList />
    </div>
  );
}
