import { createServer } from 'node:http';
import { SLOW_DATA, SLOW_MS } from './grown-slow-calls';
import { REVERTING_DATA } from './reverts';

const LOGS_BYTES = 1_000_000;
const MAINNET = '0x1';
const SHORT_RESULT = '"0x14d5c3f"';
/** Contract errors with texts that nodes also use for their own failures. */
const REVERTS = [
  'rate limit',
  'header not found',
  'too many requests',
  'missing trie node',
  'quota exceeded',
  'the method does not exist',
].flatMap((words) => [
  JSON.stringify({ code: 3, message: `execution reverted: ${words}`, data: '0x08c379a0' }),
  JSON.stringify({ code: -32_000, message: `execution reverted: ${words}` }),
  JSON.stringify({ code: -32_000, message: words, data: '0x08c379a0' }),
]);

interface StubUpstreamOptions {
  delayMs?: number;
  /** Size of answers to eth_getLogs. */
  logsBytes?: number;
}

/**
 * Starts an upstream that answers at minimal cost: with short results for single calls and batch items, with 1 MB of
 * logs, and with reverts for some calls. The URL's path is the chain id; by default, Ethereum's.
 */
export function serveStubUpstream(
  { delayMs = 0, logsBytes = LOGS_BYTES }: StubUpstreamOptions,
  onListening: (port: number) => void,
): void {
  const logs = logsOf(logsBytes);
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('latin1');
      const waitMs = text.includes(SLOW_DATA) ? SLOW_MS : delayMs;
      const body = answerTo(text, {
        logs,
        chainId: request.url?.slice(1) || MAINNET,
      });
      const send = (): void => {
        response.writeHead(200, {
          'content-type': 'application/json',
          'content-length': body.reduce((sum, { byteLength }) => sum + byteLength, 0),
        });
        for (const part of body) response.write(part);
        response.end();
      };
      if (waitMs === 0) send();
      else setTimeout(send, waitMs);
    });
  });
  server.listen(0, '127.0.0.1', () => onListening((server.address() as { port: number }).port));
}

/**
 * Returns the parts of an answer. Does not copy large parts, because the copying would delay short answers to other
 * callers.
 */
function answerTo(text: string, { logs, chainId }: { logs: Buffer; chainId: string }): Buffer[] {
  const result = text.includes('eth_chainId') ? `"${chainId}"` : SHORT_RESULT;
  const ids = Array.from(text.matchAll(/"id":([^,}]+)/g), ([, id = '']) => id);
  if (text.includes('eth_getLogs'))
    return [Buffer.from(`{"jsonrpc":"2.0","id":${ids[0]},"result":`), logs, Buffer.from('}')];
  if (text.includes(REVERTING_DATA))
    return [Buffer.from(`{"jsonrpc":"2.0","id":${ids[0]},"error":${REVERTS[Number(ids[0]) % REVERTS.length]}}`)];
  const answers = ids.map((id) => `{"jsonrpc":"2.0","id":${id},"result":${result}}`);
  return [Buffer.from(text.startsWith('[') ? `[${answers.join(',')}]` : (answers[0] ?? ''), 'latin1')];
}

function logsOf(bytes: number): Buffer {
  const entry = JSON.stringify({
    address: `0x${'a'.repeat(40)}`,
    topics: [`0x${'b'.repeat(64)}`, `0x${'c'.repeat(64)}`, `0x${'d'.repeat(64)}`],
    data: `0x${'e'.repeat(64)}`,
    blockNumber: '0x14d5c3f',
    transactionHash: `0x${'f'.repeat(64)}`,
    transactionIndex: '0x1',
    blockHash: `0x${'1'.repeat(64)}`,
    logIndex: '0x2',
    removed: false,
  });
  return Buffer.from(
    `[${Array(Math.ceil(bytes / entry.length))
      .fill(entry)
      .join(',')}]`,
  );
}
