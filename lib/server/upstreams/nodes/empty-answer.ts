import type { BlockDemand, EmptyVerdict } from './block-demand';
import type { ItemAnswer } from './node-request';

const NULL = 'null';

export function isEmpty(answer: ItemAnswer): boolean {
  return (
    answer.kind === 'result' &&
    answer.end - answer.start <= NULL.length &&
    (textOf(answer) === NULL || textOf(answer) === '[]')
  );
}

export function emptyVerdict(answer: ItemAnswer, demand: BlockDemand): EmptyVerdict {
  if (!answer.from || answer.kind === 'error') return 'answer';
  const empty = isEmpty(answer);
  return demand.judge(answer.from, { isEmpty: empty, isNull: empty && textOf(answer) === NULL });
}

function textOf({ bytes, start, end }: ItemAnswer): string {
  return bytes.toString('latin1', start, end);
}
