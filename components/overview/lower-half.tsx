'use client';

import type { Credential } from '@/lib/browser/credential';
import { DollarTable } from './dollar-table';
import { FirstCall } from './first-call';
import { ModelList } from './model-list';
import { NetworkGrid } from './network-grid';
import { RecentCalls } from './recent-calls';

export interface LowerHalfProps {
  network: string;
  credential: Credential;
}

export function LowerHalf({ network, credential }: LowerHalfProps) {
  return (
    <div className="grid gap-8">
      <div className="grid gap-8 lg:grid-cols-2">
        <RecentCalls network={network} />
        <DollarTable />
        <div className="min-w-0 lg:col-span-2">
          <FirstCall network={network} credential={credential} />
        </div>
      </div>
      <NetworkGrid />
      <ModelList />
    </div>
  );
}
