import type { Refusal } from './refused';

/** Longest method name that is shown whole, in UTF-16 code units. Listed methods are far shorter. */
export const SHOWN_NAME_LENGTH = 80;

/** Maximum names shown. A batch cannot have more. */
const SHOWN_NAMES = 100;

/**
 * Names every refused method once, class by class, with the remedy (spec, RPC proxy rules 1 and 3). Truncates names
 * beyond {@link SHOWN_NAME_LENGTH} and states their length. Escapes control and invisible characters as `\uXXXX`. Empty
 * without refusals.
 */
export function refusalSentence(refusals: readonly Refusal[]): string {
  const distinct = [...new Map(refusals.map((refusal) => [refusal.name, refusal])).values()];
  const shown = distinct.slice(0, SHOWN_NAMES);
  const sentences = CLASSES.flatMap(({ reason, sentence }) => {
    const members = shown.filter((refusal) => refusal.reason === reason);
    return members.length > 0 ? [sentence(members)] : [];
  });
  const hidden = distinct.length - shown.length;
  if (hidden > 0) sentences.push(`And ${hidden} more.`);
  return sentences.join(' ');
}

interface RefusalClass {
  reason: Refusal['reason'];
  sentence: (members: readonly Refusal[]) => string;
}

const CLASSES: readonly RefusalClass[] = [
  {
    reason: 'unsupported',
    sentence: (members) => `${plural(members, 'Method')} not supported: ${members.map(withSuggestion).join(', ')}.`,
  },
  {
    reason: 'websocket',
    sentence: (members) =>
      `${plural(members, 'WebSocket-only method')} not supported: ${namesOf(members)}. ` +
      `Subscriptions need a WebSocket, and this endpoint answers over HTTP${pollingAdvice(members)}.`,
  },
  {
    reason: 'filter',
    sentence: (members) =>
      `${plural(members, 'Stateful filter method')} not supported: ${namesOf(members)}. ` +
      'A filter exists on one node only, and calls go to several nodes. Use eth_getLogs with a block range instead.',
  },
  {
    reason: 'key-holding',
    sentence: (members) =>
      `${plural(members, 'Key-holding or miner method')} not supported: ${namesOf(members)}. ` +
      'The nodes hold no keys and do not mine. Sign locally and send with eth_sendRawTransaction.',
  },
];

function plural(members: readonly Refusal[], noun: string): string {
  return members.length === 1 ? noun : `${noun}s`;
}

function namesOf(members: readonly Refusal[]): string {
  return members.map((refusal) => visible(refusal.name)).join(', ');
}

function withSuggestion(refusal: Refusal): string {
  const name = visible(refusal.name);
  return refusal.replacement === undefined ? name : `${name} (did you mean ${refusal.replacement}?)`;
}

function pollingAdvice(members: readonly Refusal[]): string {
  const replacements = [...new Set(members.flatMap((refusal) => refusal.replacement ?? []))];
  return replacements.length === 0 ? '' : `; poll ${replacements.join(', ')} instead`;
}

const PLAIN_NAME = /^[\w.-]+$/;
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

function visible(name: string): string {
  const cut = name.slice(0, SHOWN_NAME_LENGTH);
  const shown = PLAIN_NAME.test(cut) ? cut : `"${cut.replace(/["\\]/g, '\\$&').replace(INVISIBLE, escaped)}"`;
  return cut.length === name.length ? shown : `${shown}… (${name.length} characters)`;
}

function escaped(characters: string): string {
  return Array.from(
    { length: characters.length },
    (_, index) => `\\u${characters.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}
