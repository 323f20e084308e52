import type { BlockDemand, EmptyVerdict } from './block-demand';
import type { ItemAnswer } from './node-request';

const NULL = 'null';

/** Whether a result is `null` or an empty list, which may only mean that a node does not know. */
export function isEmpty(answer: ItemAnswer): boolean {
  return (
    answer.kind === 'result' &&
    answer.end - answer.start <= NULL.length &&
    (textOf(answer) === NULL || textOf(answer) === '[]')
  );
}

/** What an answer is worth whose node may be behind. */
export function emptyVerdict(answer: ItemAnswer, demand: BlockDemand): EmptyVerdict {
  if (!answer.from || answer.kind === 'error') return 'answer';
  const empty = isEmpty(answer);
  return demand.judge(answer.from, { isEmpty: empty, isNull: empty && textOf(answer) === NULL });
}

function textOf({ bytes, start, end }: ItemAnswer): string {
  return bytes.toString('latin1', start, end);
}
