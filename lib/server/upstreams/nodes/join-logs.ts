import { type BlockSpan, hex } from './log-range';
import type { ItemAnswer } from './node-request';
import { UpstreamFailure } from './upstream-failure';

const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const NUMBER = /"blockNumber"\s*:\s*"(0x[0-9a-fA-F]{1,64})"/g;

/**
 * Returns an answer's logs as a JSON array. Omits logs outside the span, which other parts contain.
 * @throws UpstreamFailure if the result is not an array
 */
export function logsOf(answer: ItemAnswer, span: BlockSpan): Buffer {
  const { bytes, start, end } = answer;
  const logs = bytes.subarray(start, end);
  if (logs.toString('latin1', 0, 5) === 'null') return Buffer.from('[]');
  if (logs[0] !== OPENING_BRACKET || logs.at(-1) !== CLOSING_BRACKET)
    throw new UpstreamFailure(
      'mismatch',
      `its logs of the blocks ${hex(span.from)} to ${hex(span.to)} are not an array`,
    );
  return isWithin(logs, span) ? logs : withinOnly(logs, span);
}

function isWithin(logs: Buffer, { from, to }: BlockSpan): boolean {
  for (const [, number] of logs.toString('latin1').matchAll(NUMBER))
    if (Number(number) < from || Number(number) > to) return false;
  return true;
}

function withinOnly(logs: Buffer, { from, to }: BlockSpan): Buffer {
  const asked = (JSON.parse(logs.toString('utf8')) as { blockNumber?: unknown }[]).filter(
    ({ blockNumber }) => Number(blockNumber) >= from && Number(blockNumber) <= to,
  );
  return Buffer.from(JSON.stringify(asked));
}

export function joinLogs(arrays: readonly Buffer[]): ItemAnswer {
  const filled = arrays
    .map((array) => array.subarray(1, -1))
    .filter((inner) => inner.toString('latin1', 0, 64).trim() !== '' || inner.length > 64);
  const chunks = filled.flatMap((inner, index) => (index === 0 ? [inner] : [COMMA, inner]));
  const bytes = Buffer.concat([OPEN, ...chunks, CLOSE]);
  return { kind: 'result', bytes, start: 0, end: bytes.length };
}

const OPEN = Buffer.from('[');
const CLOSE = Buffer.from(']');
const COMMA = Buffer.from(',');
