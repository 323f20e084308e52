'use client';

import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Notice } from '@/components/ui/notice';
import type { RpcItem } from '@/lib/client';
import { useMemo } from 'react';
import type { Abi, AbiFunction, AbiParameter, Hex } from 'viem';
import { decodeErrorResult, decodeFunctionResult, toFunctionSelector } from 'viem/utils';
import { typeBeside } from '../param-fields';
import { rpcContractWords as words } from '../tool-words';
import { type ContractAbi, readContractAbi, signatureOf, typeOf } from './contract-abi';
import { forgetContractAbi } from './contract-draft';

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

interface DecodedOutput {
  name: string;
  type: string;
  /** Decoded value. Lists and tuples are JSON; integers have all digits. */
  text: string;
}

export type DecodedAnswer =
  | { kind: 'result'; signature: string; outputs: readonly DecodedOutput[] }
  | { kind: 'error'; name: string; outputs: readonly DecodedOutput[] }
  | { kind: 'empty' | 'other-shape'; signature: string };

/** Decodes the result or error of a call by the ABI; null if impossible. Never throws. */
export function decodeAnswer(
  { functions, abi }: ContractAbi,
  data: string,
  { result, errorData }: { result?: unknown; errorData?: unknown },
): DecodedAnswer | null {
  const called = functions.find((each) => toFunctionSelector(each) === data.slice(0, 10).toLowerCase());
  if (called === undefined) return null;
  if (isHex(errorData)) return decodeError(abi, errorData);
  if (!isHex(result)) return null;
  const signature = signatureOf(called);
  if (result === '0x' && called.outputs.length > 0) return { kind: 'empty', signature };
  const values = decodeOutputs(called, result);
  return values === null
    ? { kind: 'other-shape', signature }
    : { kind: 'result', signature, outputs: named(called.outputs, values) };
}

function decodeOutputs(called: AbiFunction, data: Hex): readonly unknown[] | null {
  if (called.outputs.length === 0) return [];
  try {
    const value = decodeFunctionResult({ abi: [called], functionName: called.name, data });
    return called.outputs.length === 1 ? [value] : (value as readonly unknown[]);
  } catch {
    return null;
  }
}

function decodeError(abi: Abi, data: Hex): DecodedAnswer | null {
  try {
    const { errorName, args = [], abiItem } = decodeErrorResult({ abi, data });
    return {
      kind: 'error',
      name: errorName,
      outputs: named('inputs' in abiItem ? abiItem.inputs : [], args as readonly unknown[]),
    };
  } catch {
    return null;
  }
}

function named(parameters: readonly AbiParameter[], values: readonly unknown[]): DecodedOutput[] {
  return parameters.map((parameter, index) => ({
    name: parameter.name ?? '',
    type: typeOf(parameter),
    text: textOf(values[index]),
  }));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : jsonOf(value);
}

function jsonOf(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(', ')}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([name, member]) => `${JSON.stringify(name)}: ${jsonOf(member)}`)
      .join(', ')}}`;
  return JSON.stringify(value) ?? '';
}

function isHex(value: unknown): value is Hex {
  return typeof value === 'string' && /^0x(?:[0-9a-f]{2})*$/i.test(value);
}
