import { stem } from './stem';

/** Words that carry no topic, such as question words and auxiliaries. */
const STOP_WORDS = new Set(
  (
    'hello hey please good here long ' +
    'a about actually after all also am an and any are as at be been but by can could did do does doing done each for from get gets getting give gives go goes got had has have having he hello help her hi how i if in ' +
    'into is it its just know let like made make makes making many may me mean means might more most much must my need needs no not now of on one only or other our out over own please really right same say shall she should ' +
    'so some such tell than thank thanks that the their them then there these they thing things this those to too understand up use used uses using very want was way we were what when where whether which while who whom whose ' +
    'why will with work working works worth would yet you your explain describe happen happens exactly run runs running'
  ).split(' '),
);

/** Short words that change the meaning of the preceding word, as in "top up" and "sign in". */
const PARTICLES = new Set(['in', 'up', 'out', 'off', 'back', 'on']);

interface Terms {
  words: string[];
  /** Pairs of adjacent stems. The second may be a particle. */
  pairs: string[];
}

/**
 * Returns the stems of a text. A code name counts as a whole and by its parts: `eth_getLogs` also counts as "get" and
 * "logs".
 */
export function termsOf(text: string): Terms {
  const words: string[] = [];
  const pairs: string[] = [];
  let previous: string | null = null;
  for (const [raw] of text.matchAll(/[\p{L}\p{N}_]+/gu)) {
    const lower = raw.toLowerCase();
    const isStop = STOP_WORDS.has(lower) || (lower.length < 2 && !/\d/.test(lower));
    const current = stem(lower);
    if (previous !== null && (!isStop || PARTICLES.has(lower))) pairs.push(`${previous} ${current}`);
    if (!isStop) words.push(current, ...partsOf(raw));
    previous = isStop ? null : current;
  }
  return { words, pairs };
}

/** Returns the stems of all words, for a question that consists of stop words. */
export function allStemsOf(text: string): Set<string> {
  return new Set(text.match(/[\p{L}\p{N}_]+/gu)?.map((word) => stem(word.toLowerCase())));
}

function partsOf(name: string): string[] {
  if (!/_|[a-z][A-Z]/.test(name)) return [];
  const parts = name.split(/_+|(?<=[a-z])(?=[A-Z])/).map((part) => part.toLowerCase());
  return parts.filter((part) => part.length > 1 && !STOP_WORDS.has(part)).map(stem);
}
