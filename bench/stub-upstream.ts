import { createServer } from 'node:http';

const LOGS_BYTES = 1_000_000;
const CHAIN_ID = '"0x1"';
const SHORT_RESULT = '"0x14d5c3f"';

/**
 * An upstream that costs as little as one can: it answers any call with one short result, logs with 1 MB of them, a
 * batch item by item, under the ids that came. It serves Ethereum: it knows that chain's id.
 * @param delayMs how long each answer takes
 */
export function serveStubUpstream(delayMs: number, onListening: (port: number) => void): void {
  const logs = oneMegabyteOfLogs();
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = answerTo(Buffer.concat(chunks).toString('latin1'), logs);
      const send = (): void => void response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body, 'latin1');
      if (delayMs === 0) send();
      else setTimeout(send, delayMs);
    });
  });
  server.listen(0, '127.0.0.1', () => onListening((server.address() as { port: number }).port));
}

function answerTo(text: string, logs: string): string {
  const result = text.includes('eth_getLogs') ? logs : text.includes('eth_chainId') ? CHAIN_ID : SHORT_RESULT;
  const answers = Array.from(text.matchAll(/"id":([^,}]+)/g), ([, id]) => `{"jsonrpc":"2.0","id":${id},"result":${result}}`);
  return text.startsWith('[') ? `[${answers.join(',')}]` : (answers[0] ?? '');
}

function oneMegabyteOfLogs(): string {
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
  return `[${Array(Math.ceil(LOGS_BYTES / entry.length)).fill(entry).join(',')}]`;
}
