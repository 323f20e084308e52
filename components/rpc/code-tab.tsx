'use client';

import { rpcCodeWords } from './tool-words';
import { CodeSamples } from './code-samples';
import type { Workbench } from './use-workbench';

export function CodeTab({ bench: { check, draft, network, credential } }: { bench: Workbench }) {
  if (!check.ok || network === null)
    return (
      <p className="px-6 py-16 text-center text-sm text-dim">
        {rpcCodeWords.needsRequest(check.ok ? '' : check.problem.sentence)}
      </p>
    );
  const url = `${window.location.origin}/api/v1/crypto/rpc/${network.slug}`;
  const { document, calls, isBatch } = check;
  return (
    <CodeSamples
      request={{
        url,
        credential: credential.presented,
        idempotencyKey: draft.idempotencyKey || null,
        document,
        calls,
        isBatch,
      }}
      kind={network.kind}
    />
  );
}
