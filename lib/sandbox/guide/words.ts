import { stem } from './stem';

/** Words that say how something is asked, or nothing by themselves; the rest of a question says what about. */
const STOP_WORDS = new Set(
  (
    'a about actually after all also am an and any are as at be been but by can could did do does doing done each for from get gets getting give gives go goes got had has have having he hello help her hi how i if in ' +
    'into is it its just know let like made make makes making many may me mean means might more most much must my need needs no not now of on one only or other our out over own please really right same say shall she should ' +
    'so some such tell than thank thanks that the their them then there these they thing things this those to too understand up use used uses using very want was way we were what when where whether which while who whom whose ' +
    'why will with work working works worth would yet you your explain describe happen happens exactly run runs running'
  ).split(' '),
);

/** Short words that make another meaning of the word before them, as in "top up" and "sign in". */
const PARTICLES = new Set(['in', 'up', 'out', 'off', 'back', 'on']);

/** What a question and a text are compared by. */
export interface Terms {
  /** Stems, in order, without stop words. */
  words: string[];
  /** Pairs of neighbouring stems, of which the second may be a particle. */
  pairs: string[];
}

/** The stems of a text. Names in code count whole and by their parts (`eth_getLogs` is also get and logs). */
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

function partsOf(name: string): string[] {
  if (!/_|[a-z][A-Z]/.test(name)) return [];
  const parts = name.split(/_+|(?<=[a-z])(?=[A-Z])/).map((part) => part.toLowerCase());
  return parts.filter((part) => part.length > 1 && !STOP_WORDS.has(part)).map(stem);
}
