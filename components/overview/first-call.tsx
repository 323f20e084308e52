'use client';

import { CodeSamples } from '@/components/rpc/code-samples';
import { Skeleton } from '@/components/ui/skeleton';
import type { Credential } from '@/lib/browser/credential';
import { checkRequest, composeRequest } from '@/lib/browser/rpc/request-text';
import { overviewLowerWords } from '@/lib/browser/words/overview-lower-half';
import { Section } from './section';

const words = overviewLowerWords.firstCall;

const REQUEST = composeRequest('eth_blockNumber', []);

export function FirstCall({ network, credential }: { network: string; credential: Credential }) {
  const check = checkRequest(REQUEST);
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
            kind="evm"
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
      <p className="text-sm text-dim">{words.note}</p>
    </Section>
  );
}
