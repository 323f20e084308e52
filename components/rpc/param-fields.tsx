'use client';

import { Button } from '@/components/ui/button';
import { Dialog, DialogContent, DialogTrigger } from '@/components/ui/dialog';
import { Input } from '@/components/ui/field';
import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import { formatJson, type JsonNode, parseJsonDocument } from '@/lib/browser/text/json-document';
import { METHOD_EXAMPLES, type MethodExample } from '@/lib/protocol/rpc-methods/examples';
import { FileCode2 } from 'lucide-react';
import { useId, useState } from 'react';
import { AddressControl, BlockControl, BooleanControl, QuantityControl, TransactionFields } from './param-controls';
import { BLOCK_TAGS, decimalOf } from './param-values';
import { replaceParam } from './request-edits';
import type { RequestCall } from './request-text';
import { rpcContractWords, rpcParameterWords as words } from './tool-words';

type ParamExample = MethodExample['params'][number];

/** Shows a field for each parameter of a single call. The fields have the names from the method's example. */
export function ParamFields({
  call,
  document,
  text,
  onEdit,
}: {
  call: RequestCall;
  document: JsonNode;
  text: string;
  onEdit: (text: string) => void;
}) {
  const example = METHOD_EXAMPLES.get(call.method);
  if (example === undefined) return null;
  return (
    <div className="grid shrink-0 gap-2 border-b border-line px-3 py-3 lg:px-4">
      <p className="text-sm text-dim">{example.description}</p>
      {call.paramsByName && <p className="text-xs text-faint">{words.byName}</p>}
      {(call.paramsByName ? [] : example.params).map((param, index) => (
        <ParamField
          key={`${call.method}.${param.name}`}
          param={param}
          node={call.params[index]}
          isEvm={!call.method.startsWith('starknet_')}
          isLast={index >= call.params.length - 1}
          onEdit={(value) => onEdit(replaceParam(document, index, value))}
        />
      ))}
      {call.method === 'eth_call' && <ContractCall text={text} onWrite={onEdit} />}
    </div>
  );
}

interface ParamFieldProps {
  param: ParamExample;
  node: JsonNode | undefined;
  isLast: boolean;
  /** False for Starknet's methods, whose block tags differ. */
  isEvm: boolean;
  /** Null removes the parameter. */
  onEdit: (value: JsonNode | null) => void;
}

function ParamField({ param, node, isLast, isEvm, onEdit }: ParamFieldProps) {
  const id = useId();
  const [unfinished, setUnfinished] = useState<string | null>(null);
  const shown = unfinished ?? textOf(node);
  const edit = (text: string) => {
    const value = text === '' && isLast && !param.required ? null : readField(text, param.type);
    setUnfinished(value === undefined ? text : null);
    if (value !== undefined) onEdit(value);
  };
  const kind = controlOf(param, node);
  const control = kind === 'block' && !isEvm ? null : kind;
  const shared = { id, name: param.name, node, onEdit };
  return (
    <div className="grid items-baseline gap-x-3 gap-y-1 sm:grid-cols-[13rem_minmax(0,1fr)]">
      <label htmlFor={id} className="flex min-w-0 items-baseline gap-2">
        <span className="figures truncate text-sm">{param.name}</span>
        <span className="text-xs text-faint empty:hidden">
          {[typeBeside(param.name, param.type), param.required ? null : words.optional]
            .filter((part) => part !== null)
            .join(', ')}
        </span>
      </label>
      <div className="grid min-w-0 gap-1">
        {control === 'block' && <BlockControl {...shared} isOptional={!param.required && isLast} />}
        {control === 'boolean' && <BooleanControl {...shared} />}
        {control === 'quantity' && <QuantityControl {...shared} />}
        {control === 'address' && <AddressControl {...shared} placeholder={String(param.example)} />}
        {control === null && (
          <Input
            id={id}
            value={shown}
            className="figures text-xs"
            title={param.description}
            placeholder={typeof param.example === 'string' ? param.example : JSON.stringify(param.example)}
            aria-invalid={unfinished !== null}
            aria-describedby={`${id}-hint`}
            onChange={(event) => edit(event.target.value)}
            onBlur={() => setUnfinished(null)}
          />
        )}
        {isTransaction(param) && node?.kind === 'object' && <TransactionFields id={id} node={node} onEdit={onEdit} />}
        <p id={`${id}-hint`} className={unfinished === null ? 'sr-only' : 'text-xs text-bad'}>
          {unfinished === null ? param.description : words.unfinished(param.name, words.types[param.type])}
        </p>
      </div>
    </div>
  );
}

/** Returns the type to show next to a parameter's name; null if it equals the name. */
export function typeBeside(name: string | undefined, type: string): string | null {
  return name === type ? null : type;
}

/**
 * Returns the control for a parameter's type; null for a text field. A value of another shape, such as an object with a
 * block hash, stays text.
 */
function controlOf({ type, example }: ParamExample, node: JsonNode | undefined): ParamExample['type'] | null {
  const isText = node === undefined || node.kind === 'string';
  if (type === 'boolean') return node === undefined || node.kind === 'literal' ? type : null;
  if (type === 'address') return isText && isAddressText(example) ? type : null;
  if (!isText || typeof example !== 'string') return null;
  if (type === 'quantity') return type;
  return type === 'block' && isBlockText(node) ? type : null;
}

function isAddressText(example: unknown): boolean {
  return typeof example === 'string' && /^0x[0-9a-fA-F]{40}$/.test(example);
}

function isBlockText(node: JsonNode | undefined): boolean {
  return (
    node === undefined ||
    (node.kind === 'string' && (BLOCK_TAGS.some((tag) => tag === node.value) || decimalOf(node.value) !== null))
  );
}

function isTransaction({ type, example }: ParamExample): boolean {
  return type === 'object' && typeof example === 'object' && example !== null && 'to' in example;
}

const TEXT_TYPES: ReadonlySet<ParamExample['type']> = new Set([
  'address',
  'hash',
  'quantity',
  'block',
  'data',
  'string',
]);

function textOf(node: JsonNode | undefined): string {
  if (node === undefined) return '';
  return node.kind === 'string' ? node.value : formatJson(node, { widthColumns: Infinity });
}

/**
 * Parses a field; undefined while the text is invalid. A parameter of a text type may also be an object, for example
 * one with a block hash.
 */
function readField(text: string, type: ParamExample['type']): JsonNode | undefined {
  const isText = TEXT_TYPES.has(type);
  if (isText && !/^\s*[{[]/.test(text)) return { kind: 'string', value: text.trim() };
  try {
    return parseJsonDocument(text);
  } catch {
    return isText ? { kind: 'string', value: text.trim() } : undefined;
  }
}

const ContractForm = onDemand(() => import('./contract/contract-form').then((module) => module.ContractForm), {
  waiting: <Skeleton className="h-80" />,
});

function ContractCall({ text, onWrite }: { text: string; onWrite: (text: string) => void }) {
  const [open, setOpen] = useState(false);
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild preload={ContractForm.preload}>
        <Button size="sm" className="justify-self-start">
          <FileCode2 aria-hidden />
          {rpcContractWords.open}
        </Button>
      </DialogTrigger>
      <DialogContent title={rpcContractWords.title} description={rpcContractWords.description} className="max-w-2xl">
        <ContractForm
          text={text}
          onWrite={(written) => {
            onWrite(written);
            setOpen(false);
          }}
        />
      </DialogContent>
    </Dialog>
  );
}
