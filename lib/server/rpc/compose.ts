import { isAscii } from 'node:buffer';
import type { RpcRequest } from '@/lib/protocol/jsonrpc/messages';
import type { WholeBody } from '../http/call';
import type { ItemAnswer } from '../upstreams/nodes/node-request';

/** Answers up to this size are joined into one text. Larger answers are sent in parts. */
const TEXT_BYTES_MAX = 65_536;
const CLOSE = Buffer.from('}');
const NAMED = { result: ',"result":', error: ',"error":' } as const;

/** Returns the node's result or error unchanged, under the caller's id. */
export function composeSingle(item: RpcRequest, answer: ItemAnswer): WholeBody {
  if (answer.end - answer.start > TEXT_BYTES_MAX) {
    return [Buffer.from(head(item, answer)), answer.bytes.subarray(answer.start, answer.end), CLOSE];
  }
  return `${head(item, answer)}${answer.bytes.toString('utf8', answer.start, answer.end)}}`;
}

export function composeBatch(items: readonly RpcRequest[], answers: readonly ItemAnswer[]): WholeBody {
  const bytes = answers.reduce((sum, { start, end }) => sum + end - start, 0);
  return bytes <= TEXT_BYTES_MAX ? composeText(items, answers) : composeBytes(items, answers);
}

function composeText(items: readonly RpcRequest[], answers: readonly ItemAnswer[]): string {
  let text = '';
  let bytes: Buffer | null = null;
  let source: string | null = null;
  for (let i = 0; i < items.length; i++) {
    const answer = answers[i] as ItemAnswer;
    if (answer.bytes !== bytes) {
      bytes = answer.bytes;
      // Most answers of a batch share one buffer. An ASCII buffer is decoded once and then sliced.
      source = bytes.length <= TEXT_BYTES_MAX && isAscii(bytes) ? bytes.toString('latin1') : null;
    }
    const value =
      source === null
        ? answer.bytes.toString('utf8', answer.start, answer.end)
        : source.slice(answer.start, answer.end);
    text +=
      (i === 0 ? '[{"jsonrpc":"2.0","id":' : '},{"jsonrpc":"2.0","id":') +
      (items[i] as RpcRequest).id +
      NAMED[answer.kind] +
      value;
  }
  return `${text}}]`;
}

function composeBytes(items: readonly RpcRequest[], answers: readonly ItemAnswer[]): Uint8Array[] {
  const parts: Uint8Array[] = [];
  answers.forEach((answer, index) => {
    parts.push(
      Buffer.from((index === 0 ? '[' : ',') + head(items[index] as RpcRequest, answer)),
      answer.bytes.subarray(answer.start, answer.end),
      CLOSE,
    );
  });
  parts.push(Buffer.from(']'));
  return parts;
}

function head(item: RpcRequest, answer: ItemAnswer): string {
  return `{"jsonrpc":"2.0","id":${item.id}${NAMED[answer.kind]}`;
}
