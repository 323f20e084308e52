import type { BlockDemand, EmptyVerdict } from './block-demand';
import type { ItemAnswer } from './node-request';

const NULL = 'null';

/** Whether a result is `null` or an empty list, which may only mean that a node does not know. */
export function isEmpty(answer: ItemAnswer): boolean {
  return answer.kind === 'result' && answer.end - answer.start <= NULL.length && (textOf(answer) === NULL || textOf(answer) === '[]');
}

/** What an answer is worth that may be empty. */
export function emptyVerdict(answer: ItemAnswer, demand: BlockDemand): EmptyVerdict {
  return answer.from && isEmpty(answer) ? demand.judgeEmpty(answer.from, textOf(answer) === NULL) : 'answer';
}

function textOf({ bytes, start, end }: ItemAnswer): string {
  return bytes.toString('latin1', start, end);
}
