import { newId } from '@/lib/browser/page/new-id';
import type { Answer, Conversation, SideName, Tail, Turn } from './conversation';
import type { StoppedCharge } from './stopped-charge';

export interface VersionPlace {
  number: number;
  count: number;
}

/** Returns the position of a turn among its versions; null if the turn has only one version. */
export function versionPlaceOf({ before = [], after = [] }: Turn): VersionPlace | null {
  const count = before.length + 1 + after.length;
  return count === 1 ? null : { number: before.length + 1, count };
}

export interface AskedAgain {
  question: string | null;
  /** The one model that answers again; the other model's answer stays. Null if all models answer again. */
  side: SideName | null;
  /** Second model to ask; null for none. Ignored if `side` is `main`. */
  besideModelId: string | null;
}

/**
 * Adds a new version of a turn, with the same or a new question. Keeps the old version with all turns after it, unless
 * it has the same question, no result and no later turns. An answer that is not asked again has the same id in both
 * versions.
 */
export function askedAgain(
  conversation: Conversation,
  turnId: string,
  { question, side, besideModelId }: AskedAgain,
  nowMs: number,
): Conversation {
  const index = conversation.turns.findIndex(({ id }) => id === turnId);
  const turn = conversation.turns[index];
  if (turn === undefined) return conversation;
  const shown = shownTail(conversation, index);
  const given = [side === 'beside' ? null : turn.answer, side === 'main' ? null : (turn.beside?.answer ?? null)];
  const cameToNothing =
    (question ?? turn.question) === turn.question &&
    shown.length === 1 &&
    given.some((answer) => answer !== null) &&
    given.every((answer) => answer === null || answer.text === '');
  const versions = [...(turn.before ?? []), ...(cameToNothing ? [] : [shown]), ...(turn.after ?? [])];
  const asked: Turn = {
    id: side === 'beside' ? turn.id : newId(),
    question: question ?? turn.question,
    ...(turn.files && { files: turn.files }),
    ...(turn.pictures && { pictures: turn.pictures }),
    askedAtMs: nowMs,
    answer: side === 'beside' ? turn.answer : null,
    ...besideOf(turn, side, besideModelId),
    ...(versions.length > 0 && { before: versions }),
  };
  return { ...conversation, updatedAtMs: nowMs, turns: [...conversation.turns.slice(0, index), asked] };
}

function besideOf({ beside }: Turn, side: SideName | null, modelId: string | null): Pick<Turn, 'beside'> {
  if (side === 'main') return beside === undefined ? {} : { beside };
  return modelId === null ? {} : { beside: { id: newId(), modelId, answer: null } };
}

/**
 * Shows the previous (-1) or next (1) version of a turn. Returns the same conversation if that version does not exist.
 */
export function stepped(conversation: Conversation, turnId: string, step: -1 | 1): Conversation {
  const index = conversation.turns.findIndex(({ id }) => id === turnId);
  const turn = conversation.turns[index];
  if (turn === undefined) return conversation;
  const { before = [], after = [] } = turn;
  const shown = shownTail(conversation, index);
  const next = step === -1 ? before.at(-1) : after[0];
  if (next === undefined) return conversation;
  const [first, ...rest] = next as [Turn, ...Turn[]];
  const sides =
    step === -1
      ? { before: before.slice(0, -1), after: [shown, ...after] }
      : { before: [...before, shown], after: after.slice(1) };
  return { ...conversation, turns: [...conversation.turns.slice(0, index), { ...first, ...sides }, ...rest] };
}

/** Updates an answer in every version of the conversation that contains the answer. */
export function withAnswer(
  conversation: Conversation,
  turnId: string,
  answer: Answer | null,
  nowMs: number,
): Conversation {
  return { ...conversation, updatedAtMs: nowMs, turns: answeredIn(conversation.turns, turnId, answer) };
}

/** Sets the signature state of an answer. Returns the same conversation if the answer no longer exists. */
export function withSignature(
  conversation: Conversation,
  turnId: string,
  completionId: string,
  signature: Answer['signature'],
): Conversation {
  const answer = answerIn(conversation.turns, turnId);
  if (answer?.signature.claim?.completionId !== completionId) return conversation;
  return { ...conversation, turns: answeredIn(conversation.turns, turnId, { ...answer, signature }) };
}

/**
 * Sets the charge of a stopped answer. Returns the same conversation if the answer no longer exists or already has its
 * cost.
 */
export function withCharge(conversation: Conversation, turnId: string, charge: StoppedCharge): Conversation {
  const answer = answerIn(conversation.turns, turnId);
  if (answer === null || answer.costNanoUsd !== null) return conversation;
  return { ...conversation, turns: answeredIn(conversation.turns, turnId, { ...answer, ...charge }) };
}

export function everyTurn(turns: readonly Turn[]): Turn[] {
  return turns.flatMap((turn) => [turn, ...tailsOf(turn).flatMap(everyTurn)]);
}

function answerIn(turns: readonly Turn[], id: string): Answer | null {
  const all = everyTurn(turns).flatMap((turn) => [turn, ...(turn.beside ? [turn.beside] : [])]);
  return all.find((each) => each.id === id)?.answer ?? null;
}

function shownTail({ turns }: Conversation, index: number): Tail {
  const { before: _before, after: _after, ...turn } = turns[index] as Turn;
  return [turn, ...turns.slice(index + 1)];
}

function answeredIn(turns: readonly Turn[], turnId: string, answer: Answer | null): readonly Turn[] {
  return turns.map((turn) => {
    const own = answeredHere(turn, turnId, answer);
    if (tailsOf(own).length === 0) return own;
    const { before = [], after = [] } = own;
    const inTails = (tails: readonly Tail[]) => tails.map((tail) => answeredIn(tail, turnId, answer));
    return { ...own, before: inTails(before), after: inTails(after) };
  });
}

function answeredHere(turn: Turn, id: string, answer: Answer | null): Turn {
  if (turn.id === id) return { ...turn, answer };
  return turn.beside?.id === id ? { ...turn, beside: { ...turn.beside, answer } } : turn;
}

function tailsOf({ before = [], after = [] }: Turn): readonly Tail[] {
  return [...before, ...after];
}
