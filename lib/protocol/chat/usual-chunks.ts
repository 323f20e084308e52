import { isRecord, parsedRecord, recordOf } from '../json-record';
import { fragmentOf, isEmptyCall, readAnswerParts, usualReason } from './answer-parts';
import { CallPlaces } from './call-places';

type Json = Readonly<Record<string, unknown>>;

const CALLS_MAX = 1_000;
const TEXTS = ['reasoning_content', 'reasoning', 'refusal'] as const;

/** Rewrites chunks that OpenAI's SDKs and the AI SDK cannot read although the meaning of the chunks is clear. */
export class UsualChunks {
  /** Tool calls by choice index. */
  readonly #calls = new Map<unknown, CallPlaces>();

  /** @returns chunk in OpenAI's format; null if it needs no change; empty if the data is not a chunk */
  rewritten(data: string): string | null {
    const json = parsedRecord(data);
    if (json === null || (!Array.isArray(json['choices']) && json['usage'] == null)) return '';
    const { error, choices: given, ...others } = json;
    const choices = Array.isArray(given) ? (given as unknown[]) : [];
    const usual = choices.map((choice) => this.#usualChoice(choice));
    // Omits `error`: it is empty here, because the caller handles chunks with an error.
    const isUsual =
      error === undefined && Array.isArray(given) && usual.every((choice, index) => choice === choices[index]);
    return isUsual ? null : JSON.stringify({ ...others, choices: usual });
  }

  #usualChoice(choice: unknown): unknown {
    const { index = 0 } = recordOf(choice);
    const calls = this.#calls.get(index) ?? new CallPlaces();
    this.#calls.set(index, calls);
    return usualChoice(choice, 'delta', calls);
  }
}

function usualChoice(choice: unknown, member: 'delta' | 'message', places?: CallPlaces): unknown {
  const { [member]: said, finish_reason: reason } = recordOf(choice);
  const [message, finish] = [usualMessage(said, places), usualReason(reason)];
  return message === said && finish === reason
    ? choice
    : { ...recordOf(choice), ...(said !== undefined && { [member]: message }), finish_reason: finish };
}

/**
 * Rewrites the messages of a whole answer in OpenAI's format.
 *
 * @returns whether anything changed
 */
export function makeUsual(completion: Record<string, unknown>): boolean {
  const { choices } = completion;
  if (!Array.isArray(choices)) return false;
  const usual = (choices as unknown[]).map((choice) => usualChoice(choice, 'message'));
  if (usual.every((choice, index) => choice === choices[index])) return false;
  completion['choices'] = usual;
  return true;
}

/**
 * Returns a message or delta in OpenAI's format: texts that are lists or objects become strings.
 *
 * @param places assigns an index to each tool call of a stream; absent for a whole message
 */
export function usualMessage(said: unknown, places?: CallPlaces): unknown {
  if (!isRecord(said)) return said;
  const changes: Record<string, unknown> = {};
  const { content, tool_calls: calls } = said;
  const isOdd = typeof content === 'object' && content !== null;
  if (isOdd || TEXTS.some((name) => isRecord(said[name]) || Array.isArray(said[name]))) {
    const parts = readAnswerParts({ delta: said }, 'delta');
    if (isOdd) changes['content'] = parts.content;
    if (isOdd && parts.reasoning !== '') changes['reasoning_content'] = parts.reasoning;
    for (const name of TEXTS)
      if (typeof said[name] === 'object' && said[name] !== null)
        changes[name] = name === 'refusal' ? parts.refusal : parts.reasoning;
  }
  if (Array.isArray(calls)) {
    const usual = (calls as unknown[]).flatMap((call) => usualCall(recordOf(call), places));
    if (usual.length < calls.length || usual.some((call, index) => call !== calls[index]))
      changes['tool_calls'] = usual;
  }
  return Object.keys(changes).length === 0 ? said : { ...said, ...changes };
}

function usualCall(call: Json, places?: CallPlaces): Json[] {
  const fragment = fragmentOf(call);
  if (isEmptyCall(fragment)) return [];
  const { function: called, id, index } = call;
  const given = recordOf(called)['arguments'];
  const changes = {
    ...(typeof id === 'number' && { id: fragment.id }),
    ...(given != null &&
      typeof given !== 'string' && { function: { ...recordOf(called), arguments: fragment.argumentsText } }),
  };
  // Each additional tool call slows this search. Tool calls beyond the limit keep the server's index.
  const place = places && places.size < CALLS_MAX ? places.placeOf(fragment) : index;
  const isPlaced = place === index;
  return [
    isPlaced && Object.keys(changes).length === 0 ? call : { ...call, ...changes, ...(!isPlaced && { index: place }) },
  ];
}
