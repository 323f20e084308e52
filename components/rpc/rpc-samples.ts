import { quoteJs, quoteShell, type Sample } from '@/components/samples/sample';
import { formatJson, type JsonNode } from '@/lib/browser/text/json-document';
import { type CallCredential, credentialHeader } from '@/lib/client';
import type { ChainKind } from '@/lib/protocol/networks';
import type { RequestCall } from './request-text';

export interface SampledRequest {
  url: string;
  credential: CallCredential | null;
  idempotencyKey: string | null;
  document: JsonNode;
  calls: readonly RequestCall[];
  isBatch: boolean;
}

export function samplesOf(request: SampledRequest, kind: ChainKind): Sample[] {
  const viem = kind === 'evm' ? viemSample(request) : null;
  return [
    { language: 'curl', family: null, label: 'curl', code: curlSample(request) },
    ...(viem === null ? [] : [{ language: 'viem', family: 'TypeScript', label: 'viem', code: viem } as const]),
    { language: 'fetch', family: 'TypeScript', label: 'fetch', code: fetchSample(request) },
    { language: 'python', family: null, label: 'Python', code: pythonSample(request) },
  ];
}

/** Formats the request as one curl command for a POSIX shell. */
export function curlSample(request: SampledRequest): string {
  const headers = sampleHeaders(request).map(([name, value]) => `  -H ${quoteShell(`${name}: ${value}`)}`);
  return [
    `curl ${quoteShell(request.url)}`,
    ...headers,
    `  -d ${quoteShell(formatJson(request.document, { marginColumns: 2 }))}`,
  ].join(' \\\n');
}

function fetchSample(request: SampledRequest): string {
  const headers = sampleHeaders(request).map(
    ([name, value]) => `    ${/^\w+$/.test(name) ? name : quoteJs(name)}: ${quoteJs(value)},`,
  );
  return `const response = await fetch(${quoteJs(request.url)}, {
  method: 'POST',
  headers: {
${headers.join('\n')}
  },
  body: ${bodyExpression(request.document)},
});
console.log(await response.json());
console.log(response.headers.get('X-Service-RPC-Credits'), 'credits');
`;
}

/**
 * Formats an EVM request with viem 2, which chooses ids itself. Returns null if a number in the params would lose
 * digits.
 */
function viemSample(request: SampledRequest): string | null {
  if (request.calls.some(({ params }) => params.some(losesDigits))) return null;
  const headers = sampleHeaders(request).filter(([name]) => name !== 'Content-Type');
  const headerLines = headers.map(
    ([name, value]) => `      ${/^\w+$/.test(name) ? name : quoteJs(name)}: ${quoteJs(value)},`,
  );
  const options = [
    ...(request.isBatch ? ['  batch: true,'] : []),
    ...(headers.length === 0 ? [] : ['  fetchOptions: {', '    headers: {', ...headerLines, '    },', '  },']),
  ];
  const transport =
    options.length === 0
      ? `http(${quoteJs(request.url)})`
      : `http(${quoteJs(request.url)}, {\n${options.join('\n')}\n})`;
  const calls = request.calls.map(({ method, params }) => viemCall(method, params, request.isBatch ? 2 : 0));
  const answer = request.isBatch ? `Promise.all([\n  ${calls.join(',\n  ')},\n])` : calls.join('');
  return `import { createClient, http } from 'viem';

// viem's own list of methods lacks the rarer namespaces.
type AnyMethod = { Method: string; Parameters: unknown; ReturnType: unknown };
const transport = ${transport};
const client = createClient({ transport });

console.log(await ${answer});
`;
}

function viemCall(method: string, params: readonly JsonNode[], marginColumns: number): string {
  const margin = ' '.repeat(marginColumns);
  const list = formatJson({ kind: 'array', items: params }, { marginColumns: marginColumns + 2, widthColumns: 80 });
  return `client.request<AnyMethod>({
${margin}  method: ${quoteJs(method)},
${margin}  params: ${list},
${margin}})`;
}

/** Returns an object literal if JavaScript reads it as JSON does, else the JSON text. */
function bodyExpression(document: JsonNode): string {
  if (losesDigits(document) || hasPrototypeMember(document))
    return quoteJs(formatJson(document, { widthColumns: Infinity }));
  return `JSON.stringify(${formatJson(document, { marginColumns: 2 })})`;
}

function losesDigits(node: JsonNode): boolean {
  if (node.kind === 'number') return JSON.stringify(Number(node.source)) !== node.source;
  return childrenOf(node).some(losesDigits);
}

/** Returns whether a document has a member `__proto__`, which would set the prototype of an object literal. */
function hasPrototypeMember(node: JsonNode): boolean {
  if (node.kind === 'object' && node.members.some(([key]) => key === '__proto__')) return true;
  return childrenOf(node).some(hasPrototypeMember);
}

function childrenOf(node: JsonNode): readonly JsonNode[] {
  if (node.kind === 'array') return node.items;
  return node.kind === 'object' ? node.members.map(([, value]) => value) : [];
}

function pythonSample(request: SampledRequest): string {
  const headers = sampleHeaders(request).map(
    ([name, value]) => `        ${JSON.stringify(name)}: ${JSON.stringify(value)},`,
  );
  return `import json
from urllib.request import Request, urlopen

body = ${formatJson(request.document, { style: 'python' })}
request = Request(
    ${JSON.stringify(request.url)},
    data=json.dumps(body).encode(),
    headers={
${headers.join('\n')}
    },
)
with urlopen(request) as response:
    print(json.dumps(json.load(response), indent=2))
    print(response.headers["X-Service-RPC-Credits"], "credits")
`;
}

function sampleHeaders({
  credential,
  idempotencyKey,
}: SampledRequest): readonly (readonly [name: string, value: string])[] {
  return [
    ...(credential === null ? [] : [credentialHeader(credential)]),
    ['Content-Type', 'application/json'] as const,
    ...(idempotencyKey === null ? [] : [['Idempotency-Key', idempotencyKey] as const]),
  ];
}
