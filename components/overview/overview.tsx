'use client';

import { Button } from '@/components/ui/button';
import { requestHref } from '@/lib/browser/request-link';
import { composeRequest } from '@/lib/browser/request-text';
import { useCredential } from '@/lib/browser/credential';
import { useSandbox } from '@/lib/browser/sandbox';
import { ArrowRight } from 'lucide-react';
import Link from 'next/link';
import { BalanceSection } from './balance-section';
import { FirstSteps } from './first-steps';
import { SpendSection } from './spend-section';
import { AccessFacts } from './access-facts';
import { DollarTable } from './dollar-table';
import { FirstCall } from './first-call';
import { ModelList } from './model-list';
import { NetworkGrid } from './network-grid';
import { RecentCalls } from './recent-calls';

/** The start page: what this is, the first call ready to paste, and what is true of this gateway now. */
export function Overview() {
  const sandbox = useSandbox();
  const credential = useCredential();
  const network = sandbox.data === null ? 'ethereum-mainnet' : 'sandbox-testnet';
  return (
    <div className="mx-auto grid w-full max-w-6xl gap-8 px-4 py-6 lg:px-8 lg:py-8">
      <header className="flex flex-wrap items-end justify-between gap-4">
        <div className="grid max-w-2xl gap-1.5">
          <h1 className="text-2xl font-semibold tracking-tight text-balance">One gateway, and a wallet is the account</h1>
          <p className="text-lg text-dim">Blockchain RPC, private chat, speech and video over one HTTP API. Each answer says what it cost.</p>
        </div>
        <Button asChild tone="primary">
          <Link href={requestHref({ network, text: composeRequest('eth_blockNumber', []) })}>
            Make a call
            <ArrowRight aria-hidden />
          </Link>
        </Button>
      </header>
      <div className="grid gap-8 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <BalanceSection />
        <FirstSteps network={network} />
        <SpendSection />
        <RecentCalls network={network} />
        <FirstCall network={network} credential={credential} />
        <AccessFacts credential={credential} />
        <DollarTable />
      </div>
      <NetworkGrid />
      <ModelList />
    </div>
  );
}
