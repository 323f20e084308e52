'use client';

import { cn } from '@/components/ui/class-names';
import { CopyButton } from '@/components/ui/copy-button';
import { formatCount } from '@/lib/browser/text/amounts';
import { formatJson, type JsonNode } from '@/lib/browser/text/json-document';
import { formatZonedDateTime } from '@/lib/browser/text/moments';
import { Binary, ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import { isDecodable, readHexValue, type Reading, readNumberValue } from './read-value';
import { type QuantityPlace, summarizeQuantity } from './summarize-quantity';
import { rpcAnswerWords, rpcDecodingWords } from './words';

const OPEN_DEPTH = 3;
/**
 * Containers with more members start closed from the second level on, so that a block's transactions do not hide its
 * fields.
 */
const OPEN_SIZE = 24;
const PAGE_SIZE = 100;
/** Longest string shown in full: 65 bytes in hexadecimal, such as a signature. */
const STRING_CHARACTERS = 132;

type Container = Extract<JsonNode, { kind: 'object' | 'array' }>;

/**
 * Shows a JSON document as a tree, open to the third level. Cuts long lists and texts.
 * @param symbol symbol of the chain's currency, for decoding a chain's answer; undefined for other documents
 * @param methods methods of the calls, in the order of the answers
 */
export function JsonTree({
  node,
  symbol,
  methods = [],
}: {
  node: JsonNode;
  symbol?: string;
  methods?: readonly string[];
}) {
  return (
    <div className="figures text-xs leading-5">
      <TreeNode name={null} node={node} depth={0} symbol={symbol} methods={methods} />
    </div>
  );
}

interface TreeNodeProps<Node = JsonNode> {
  name: string | null;
  node: Node;
  depth: number;
  symbol: string | undefined;
  /** Methods of the calls; within one answer of a batch, only the method of this call. */
  methods: readonly string[];
}

function TreeNode({ name, node, depth, symbol, methods }: TreeNodeProps) {
  const [isDecoded, setIsDecoded] = useState(false);
  const decodedId = useId();
  if (node.kind === 'object' || node.kind === 'array') {
    if (sizeOf(node) > 0) return <Branch name={name} node={node} depth={depth} symbol={symbol} methods={methods} />;
  }
  const readings = symbol === undefined ? null : readingsOf(node, name, symbol);
  return (
    <div
      className={cn(
        'group/row relative min-w-0 rounded-sm pl-5 hover:bg-hover pointer-coarse:min-h-6',
        symbol !== undefined && 'pr-6',
      )}
    >
      <span className="block min-w-0 wrap-anywhere">
        <Name name={name} />
        <Scalar node={node} place={{ name, method: methods[0], symbol }} />
        {readings !== null && (
          <button
            type="button"
            aria-expanded={isDecoded}
            aria-controls={isDecoded ? decodedId : undefined}
            aria-label={rpcDecodingWords.decode(name)}
            title={rpcDecodingWords.decode(name)}
            onClick={() => setIsDecoded(!isDecoded)}
            className="absolute top-0 right-0 inline-flex size-5 items-center justify-center rounded-sm text-faint hover:bg-ground hover:text-ink aria-expanded:bg-ground aria-expanded:text-amber-ink pointer-coarse:size-6"
          >
            <Binary aria-hidden className="size-3.5" />
          </button>
        )}
      </span>
      {isDecoded && readings !== null && <DecodedValue id={decodedId} readings={readings()} />}
      <CopyButton
        text={() => (node.kind === 'string' ? node.value : formatJson(node))}
        label={rpcAnswerWords.copyValue(name)}
        iconOnly
        className={cn(
          'absolute top-0 size-5 bg-hover opacity-0 group-hover/row:opacity-100 focus-visible:opacity-100 pointer-coarse:size-6',
          symbol === undefined ? 'right-0' : 'right-6',
        )}
      />
    </div>
  );
}

function Branch({ name, node, depth, symbol, methods }: TreeNodeProps<Container>) {
  const [open, setOpen] = useState(depth < OPEN_DEPTH && (depth < 2 || sizeOf(node) <= OPEN_SIZE));
  const [shown, setShown] = useState(PAGE_SIZE);
  const children: readonly (readonly [string, JsonNode])[] =
    node.kind === 'object' ? node.members : node.items.map((item, index) => [String(index), item] as const);
  return (
    <div>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex w-full min-w-0 items-center gap-1 rounded-sm text-left hover:bg-hover pointer-coarse:min-h-6"
      >
        <ChevronRight
          aria-hidden
          className={`size-4 shrink-0 text-faint transition-transform ${open ? 'rotate-90' : ''}`}
        />
        <span className="truncate">
          <Name name={name} />
          <span className="text-faint">{summaryOf(node)}</span>
        </span>
      </button>
      {open && (
        <div className="ml-2 border-l border-line pl-2">
          {children.slice(0, shown).map(([key, child], index) => (
            <TreeNode
              key={index}
              name={key}
              node={child}
              depth={depth + 1}
              symbol={symbol}
              methods={depth === 0 && node.kind === 'array' ? methods.slice(index, index + 1) : methods}
            />
          ))}
          {children.length > shown && (
            <button
              type="button"
              onClick={() => setShown(shown + PAGE_SIZE * 10)}
              className="ml-5 text-amber-ink hover:underline pointer-coarse:min-h-6"
            >
              {rpcAnswerWords.showMore(formatCount(children.length))}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

function readingsOf(node: JsonNode, name: string | null, symbol: string): (() => Reading[]) | null {
  if (node.kind === 'string') return isDecodable(node.value) ? () => readHexValue(node.value, { name, symbol }) : null;
  if (node.kind !== 'number') return null;
  const readings = readNumberValue(node.source, { name, symbol });
  return readings.length === 0 ? null : () => readings;
}

function Name({ name }: { name: string | null }) {
  return name === null ? null : <span className="text-dim">{name}: </span>;
}

function Scalar({ node, place }: { node: JsonNode; place: QuantityPlace }) {
  if (node.kind === 'string') return <Text value={node.value} place={place} />;
  if (node.kind === 'number') return <span className="text-number">{node.source}</span>;
  if (node.kind === 'literal') return <span className="text-word">{String(node.value)}</span>;
  return <span className="text-faint">{summaryOf(node)}</span>;
}

function Text({ value, place }: { value: string; place: QuantityPlace }) {
  const [whole, setWhole] = useState(false);
  const quantity = summarizeQuantity(value, place);
  const cut = !whole && value.length > STRING_CHARACTERS;
  return (
    <>
      <span className="text-string">&quot;{cut ? `${value.slice(0, STRING_CHARACTERS)}…` : value}&quot;</span>
      {quantity !== null && value.length > 3 && (
        <span
          title={quantity.wei === null ? undefined : rpcDecodingWords.wei(quantity.wei)}
          className="whitespace-nowrap text-faint"
        >
          {' = '}
          {quantity.text}
        </span>
      )}
      {cut && (
        <button
          type="button"
          onClick={() => setWhole(true)}
          className="ml-1 text-amber-ink hover:underline pointer-coarse:min-h-6"
        >
          {rpcAnswerWords.allCharacters(formatCount(value.length))}
        </button>
      )}
    </>
  );
}

function sizeOf(node: Container): number {
  return node.kind === 'object' ? node.members.length : node.items.length;
}

function summaryOf(node: Container): string {
  const size = sizeOf(node);
  if (size === 0) return node.kind === 'object' ? '{}' : '[]';
  return rpcAnswerWords.size(node.kind, size);
}

function DecodedValue({ id, readings }: { id: string; readings: readonly Reading[] }) {
  return (
    <dl
      id={id}
      className="my-1 grid max-w-2xl gap-px overflow-hidden rounded-md border border-line bg-line font-sans text-xs"
    >
      {readings.map((reading) => (
        <div
          key={reading.kind}
          className="grid grid-cols-[7rem_minmax(0,1fr)] items-center gap-2 bg-ground px-2 py-0.5"
        >
          <dt className="text-dim">{rpcDecodingWords.kinds[reading.kind]}</dt>
          <dd className="flex min-w-0 items-center gap-2">
            <span className="min-w-0 flex-1 py-1 wrap-anywhere">
              {reading.atMs === undefined ? (
                <bdi className="figures whitespace-pre-wrap">{textOf(reading)}</bdi>
              ) : (
                <LocalTime atMs={reading.atMs} iso={reading.text} />
              )}
            </span>
            <CopyButton
              text={reading.text}
              label={rpcDecodingWords.copy(rpcDecodingWords.kinds[reading.kind])}
              iconOnly
              className="size-6 pointer-coarse:size-8"
            />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function textOf({ kind, text }: Reading): string {
  return kind === 'size' ? rpcDecodingWords.bytes(text) : text;
}

function LocalTime({ atMs, iso }: { atMs: number; iso: string }) {
  return (
    <>
      <time dateTime={iso}>{formatZonedDateTime(atMs)}</time>
      <span className="figures block text-faint">{iso}</span>
    </>
  );
}
