'use client';

import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { onDemand } from '@/components/ui/on-demand';
import { PageLink } from '@/components/ui/page-link';
import { Skeleton } from '@/components/ui/skeleton';
import { operationCurl } from '@/lib/browser/api-reference/operation-request';
import type { ApiOperation } from '@/lib/browser/api-reference/api-description';
import { CREDENTIAL_PLACEHOLDER, maskCredential, useCredential } from '@/lib/browser/credential';
import { bodyHref } from '@/lib/browser/rpc/call-href';
import { useRpcDraft } from '@/lib/browser/rpc/rpc-draft';
import type { CallCredential } from '@/lib/client';
import { referenceWords } from '@/lib/browser/words/reference';
import { ArrowRight } from 'lucide-react';
import { useState } from 'react';

const words = referenceWords.request;

const RunGet = onDemand(() => import('./run-get').then((module) => module.RunGet), {
  waiting: <Skeleton className="h-10" />,
});

/**
 * Shows the operation as a curl command. Runs a read-only operation here, and links the JSON-RPC operation to the RPC
 * page.
 */
export function TryOperation({ operation, baseUrl }: { operation: ApiOperation; baseUrl: string }) {
  const [exampleName, setExampleName] = useState(operation.body?.examples[0]?.name ?? null);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const { presented } = useCredential();
  const draft = useRpcDraft();
  const example = operation.body?.examples.find(({ name }) => name === exampleName);
  const isRpc = operation.id === 'rpc';
  const network = draft.network ?? 'ethereum-mainnet';
  const shownValues = isRpc ? { network, ...values } : values;
  const curl = (credential: CallCredential | null) =>
    operationCurl(operation, {
      baseUrl,
      values: shownValues,
      credential: credential ?? CREDENTIAL_PLACEHOLDER,
      ...(example ? { body: example.value } : {}),
    });
  return (
    <div className="grid min-w-0 gap-4 xl:sticky xl:top-4">
      <div className="overflow-hidden rounded-md border border-line">
        <div className="flex min-h-10 flex-wrap items-center gap-1 border-b border-line bg-surface px-3 py-1">
          <h3 className="mr-auto text-sm font-semibold">{words.title}</h3>
          {operation.body && operation.body.examples.length > 1 && (
            <div role="group" aria-label={words.example} className="flex gap-1">
              {operation.body.examples.map(({ name }) => (
                <Button
                  key={name}
                  size="sm"
                  tone="quiet"
                  aria-pressed={name === exampleName}
                  className="aria-pressed:bg-hover aria-pressed:text-ink"
                  onClick={() => setExampleName(name)}
                >
                  {name}
                </Button>
              ))}
            </div>
          )}
          <CopyButton text={() => curl(presented)} label={words.copy} tone="outline" title={words.copyMeaning} />
        </div>
        <pre
          tabIndex={0}
          aria-label={words.asCurl(operation.summary)}
          className="figures overflow-auto p-3 text-xs leading-5"
        >
          {curl(presented === null ? null : maskCredential(presented))}
        </pre>
      </div>
      {isRpc && (
        <Button asChild className="justify-self-start">
          <PageLink href={bodyHref(network, JSON.stringify(example?.value ?? {}, null, 2))}>
            {words.tryOnRpc}
            <ArrowRight aria-hidden />
          </PageLink>
        </Button>
      )}
      {operation.verb === 'GET' && (
        <RunGet operation={operation} baseUrl={baseUrl} values={values} onChange={setValues} />
      )}
    </div>
  );
}
