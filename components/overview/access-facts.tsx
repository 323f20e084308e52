'use client';

import { ChoosePayer } from '@/components/paying/choose-payer';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { PageLink } from '@/components/ui/page-link';
import { Skeleton } from '@/components/ui/skeleton';
import type { Credential } from '@/lib/browser/credential';
import { useNetworks } from '@/lib/browser/networks';
import { maskSecret } from '@/lib/browser/secret';
import { shortAddress } from '@/lib/browser/wallet/wallet-address';
import { useSandbox } from '@/lib/browser/sandbox';
import type { ReactNode } from 'react';
import { overviewLowerWords } from '@/lib/browser/words/overview-lower-half';
import { Section } from './section';

const words = overviewLowerWords.gateway;

/** What this gateway is and whose key it is called with: only what it has said itself. */
export function AccessFacts({ credential, methodCount }: { credential: Credential; methodCount: number }) {
  return (
    <Section title={words.title}>
      <dl className="divide-y divide-line overflow-hidden rounded-md border border-line">
        <ProfileFact />
        <Fact name={words.pays}>
          <CredentialFact credential={credential} />
        </Fact>
        <NetworksFact />
        <Fact name={words.methods}>{words.methodCount(methodCount)}</Fact>
        <Fact name={words.contract}>
          <PageLink href="/reference" className="text-amber-ink underline-offset-4 hover:underline">
            {words.reference}
          </PageLink>
          <span className="text-faint">·</span>
          <a href="/api/v1/openapi.json" className="text-amber-ink underline-offset-4 hover:underline">
            {words.openApi}
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
    <Fact name={words.profile}>
      {isPending && <Skeleton className="h-4 w-40" />}
      {isError && <span className="text-bad">{words.notKnown}</span>}
      {data === null && words.live}
      {data && (
        <>
          <Badge tone="amber">{words.sandbox}</Badge> {words.standIns}
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
        {words.walletSignIn} <code className="figures text-xs text-dim">{shortAddress(credential.address)}</code>
      </>
    );
  }
  if (credential.kind === 'signed-out' || credential.kind === 'none') {
    return (
      <>
        {credential.kind === 'none' ? words.nobody : words.signInEnded} <ChoosePayer isInline />
      </>
    );
  }
  return (
    <>
      {credential.kind === 'demo' ? words.demoKey : words.ownKey}{' '}
      <code className="figures text-xs text-dim">{maskSecret(credential.apiKey)}</code>
    </>
  );
}

function NetworksFact() {
  const { networks, isLive, error, retry } = useNetworks();
  const testnets = networks.filter(({ testnet }) => testnet).length;
  return (
    <Fact name={words.networks}>
      {isLive && <span>{words.listed(networks.length, networks.length - testnets, testnets)}</span>}
      {!isLive && error === null && <Skeleton className="h-4 w-48" />}
      {!isLive && error !== null && (
        <>
          <span className="text-bad">{error.message}</span>
          <Button size="sm" onClick={retry}>
            {words.tryAgain}
          </Button>
        </>
      )}
    </Fact>
  );
}
