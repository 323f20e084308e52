'use client';

import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Notice } from '@/components/ui/notice';
import { readContractAbi } from '@/lib/browser/rpc/contract/contract-abi';
import { forgetContractAbi } from '@/lib/browser/rpc/contract/contract-draft';
import { decodeAnswer, type DecodedOutput } from '@/lib/browser/rpc/contract/decode-answer';
import { typeBeside } from '@/lib/browser/rpc/type-beside';
import { rpcContractWords as words } from '@/lib/browser/words/rpc-tools';
import type { RpcItem } from '@/lib/client';
import { useMemo } from 'react';

/** Shows a contract's answer decoded by the ABI. Renders nothing if the ABI lacks the function. */
export function AbiAnswer({ abi, to, data, item }: { abi: string; to: string; data: string; item: RpcItem }) {
  const decoded = useMemo(() => {
    const read = readContractAbi(abi);
    return 'functions' in read ? decodeAnswer(read, data, { result: item.result, errorData: item.error?.data }) : null;
  }, [abi, data, item]);
  if (decoded === null) return null;
  if (!('outputs' in decoded)) {
    return (
      <Notice
        tone="warn"
        title={decoded.signature}
        actions={
          <Button size="sm" onClick={() => forgetContractAbi(to)}>
            {words.forgetAbi}
          </Button>
        }
      >
        {decoded.kind === 'empty' ? words.emptyAnswer : words.otherShape}
      </Notice>
    );
  }
  const isError = decoded.kind === 'error';
  return (
    <section aria-label={words.decodedBy} className="overflow-hidden rounded-md border border-line text-sm">
      <header className="flex min-h-9 items-center gap-3 border-b border-line bg-surface px-3">
        <h3 className="min-w-0 flex-1 truncate">
          <span className="figures text-xs font-medium">
            {isError ? words.revertedWith(decoded.name) : decoded.signature}
          </span>
        </h3>
        <span className="shrink-0 text-xs text-faint">{words.decodedBy}</span>
      </header>
      {decoded.outputs.length === 0 && !isError ? (
        <p className="px-3 py-2 text-dim">{words.nothingReturned}</p>
      ) : (
        <Outputs outputs={decoded.outputs} />
      )}
    </section>
  );
}

function Outputs({ outputs }: { outputs: readonly DecodedOutput[] }) {
  return (
    <dl className="divide-y divide-line">
      {outputs.map(({ name, type, text }, index) => {
        const shown = name || (outputs.length === 1 ? words.result : words.value(index));
        return (
          <div key={index} className="grid items-start gap-x-3 px-3 py-1.5 sm:grid-cols-[10rem_minmax(0,1fr)]">
            <dt className="flex min-w-0 items-baseline gap-2">
              <span className="truncate">{shown}</span>
              <span className="figures truncate text-xs text-faint empty:hidden">{typeBeside(name, type)}</span>
            </dt>
            <dd className="flex min-w-0 items-start gap-3">
              <bdi
                tabIndex={text.length > 1_000 ? 0 : undefined}
                className="figures max-h-60 min-w-0 flex-1 overflow-auto text-xs whitespace-pre-wrap wrap-anywhere"
              >
                {text === '' ? '""' : text}
              </bdi>
              <CopyButton
                text={text}
                label={words.copyValue(shown)}
                iconOnly
                className="size-6 pointer-coarse:size-8"
              />
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
