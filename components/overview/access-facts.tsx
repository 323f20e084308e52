'use client';

import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import type { Credential } from '@/lib/browser/credential';
import { useNetworks } from '@/lib/browser/networks';
import { maskSecret } from '@/lib/browser/secret';
import { shortAddress } from '@/lib/browser/wallet/wallet-address';
import { useSandbox } from '@/lib/browser/sandbox';
import { METHODS } from '@/lib/protocol/rpc-methods';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { Section } from './section';

/** What this gateway is and whose key it is called with: only what it has said itself. */
export function AccessFacts({ credential }: { credential: Credential }) {
  return (
    <Section title="This gateway">
      <dl className="divide-y divide-line overflow-hidden rounded-md border border-line">
        <ProfileFact />
        <Fact name="Credential">
          <CredentialFact credential={credential} />
        </Fact>
        <NetworksFact />
        <Fact name="Methods">
          <span className="figures">{METHODS.length}</span> over HTTP, priced by tier
        </Fact>
        <Fact name="Contract">
          <Link href="/reference" className="text-amber-ink underline-offset-4 hover:underline">
            API reference
          </Link>
          <span className="text-faint">·</span>
          <a href="/api/v1/openapi.json" className="text-amber-ink underline-offset-4 hover:underline">
            OpenAPI document
          </a>
        </Fact>
      </dl>
    </Section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-h-11 items-center gap-3 px-3 py-2 text-sm">
      <dt className="w-24 shrink-0 text-dim">{name}</dt>
      <dd className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-1">{children}</dd>
    </div>
  );
}

function ProfileFact() {
  const { data, isPending, isError } = useSandbox();
  return (
    <Fact name="Profile">
      {isPending && <Skeleton className="h-4 w-40" />}
      {isError && <span className="text-bad">not known: the gateway does not answer</span>}
      {data === null && 'live: real networks, real charges'}
      {data && (
        <>
          <Badge tone="amber">sandbox</Badge> local stand-ins, no real money
        </>
      )}
    </Fact>
  );
}

function CredentialFact({ credential }: { credential: Credential }) {
  if (credential.kind === 'pending') return <Skeleton className="h-4 w-40" />;
  if (credential.kind === 'wallet') {
    return (
      <>
        wallet sign-in <code className="figures text-xs text-dim">{shortAddress(credential.address)}</code>
      </>
    );
  }
  if (credential.kind === 'signed-out') return <>the wallet&apos;s sign-in has ended: sign in again at the top right</>;
  if (credential.kind === 'none') return <>none yet: connect a wallet or enter an API key at the top right</>;
  return (
    <>
      {credential.kind === 'demo' ? 'demo key' : 'your own key'} <code className="figures text-xs text-dim">{maskSecret(credential.apiKey)}</code>
    </>
  );
}

function NetworksFact() {
  const { networks, isLive, error, retry } = useNetworks();
  const testnets = networks.filter(({ testnet }) => testnet).length;
  return (
    <Fact name="Networks">
      {isLive && (
        <span>
          <span className="figures">{networks.length}</span> listed: <span className="figures">{networks.length - testnets}</span> mainnets, <span className="figures">{testnets}</span> testnets
        </span>
      )}
      {!isLive && error === null && <Skeleton className="h-4 w-48" />}
      {!isLive && error !== null && (
        <>
          <span className="text-bad">{error.message}</span>
          <Button size="sm" onClick={retry}>
            Try again
          </Button>
        </>
      )}
    </Fact>
  );
}
