'use client';

import { CodeSamples } from '@/components/rpc/code-samples';
import { checkRequest } from '@/components/rpc/request-text';
import { Skeleton } from '@/components/ui/skeleton';
import type { Credential } from '@/lib/browser/credential/credential';
import { describeNetwork } from '@/lib/browser/reads/networks';
import { firstRequestOf } from '@/lib/browser/rpc/first-request';
import { overviewLowerWords } from './lower-half-words';
import { ModelList } from './model-list';
import { NetworkGrid } from './network-grid';
import { Section } from './section';

export interface LowerHalfProps {
  network: string;
  credential: Credential;
}

export function LowerHalf({ network, credential }: LowerHalfProps) {
  return (
    <div className="grid gap-8">
      <FirstCall network={network} credential={credential} />
      <NetworkGrid />
      <ModelList />
    </div>
  );
}

const words = overviewLowerWords.firstCall;

function FirstCall({ network, credential }: { network: string; credential: Credential }) {
  const check = checkRequest(firstRequestOf(network));
  const kind = describeNetwork(network)?.kind ?? 'evm';
  return (
    <Section title={words.title}>
      <div className="flex h-64 flex-col overflow-hidden rounded-md border border-line">
        {credential.kind === 'pending' || !check.ok ? (
          <div className="grid gap-3 p-4">
            <Skeleton className="h-4 w-3/5" />
            <Skeleton className="h-4 w-4/5" />
            <Skeleton className="h-4 w-2/5" />
          </div>
        ) : (
          <CodeSamples
            kind={kind}
            request={{
              url: `${window.location.origin}/api/v1/crypto/rpc/${network}`,
              credential: credential.presented,
              idempotencyKey: null,
              document: check.document,
              calls: check.calls,
              isBatch: false,
            }}
          />
        )}
      </div>
      <p className="text-sm text-dim">{words.note(words.clients[kind])}</p>
    </Section>
  );
}
