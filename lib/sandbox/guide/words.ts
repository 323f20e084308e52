/**
 * Returns the stem of a lower-case English word, so that "staking", "stakes" and "staked" are equal (M. F. Porter, "An
 * algorithm for suffix stripping", Program 14 no. 3, 1980). Words of one or two letters, or with other characters, stay
 * unchanged.
 */
export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  let stemmed = withoutPlural(word);
  stemmed = withoutTense(stemmed);
  if (/y$/.test(stemmed) && hasVowel(stemmed.slice(0, -1))) stemmed = `${stemmed.slice(0, -1)}i`;
  stemmed = replaceLongest(stemmed, STEP_2, 0);
  stemmed = replaceLongest(stemmed, STEP_3, 0);
  stemmed = withoutDerivation(stemmed);
  return withoutLastE(stemmed);
}

const STEP_2 = new Map(
  Object.entries({
    ational: 'ate',
    tional: 'tion',
    enci: 'ence',
    anci: 'ance',
    izer: 'ize',
    abli: 'able',
    alli: 'al',
    entli: 'ent',
    eli: 'e',
    ousli: 'ous',
    ization: 'ize',
    ation: 'ate',
    ator: 'ate',
    alism: 'al',
    iveness: 'ive',
    fulness: 'ful',
    ousness: 'ous',
    aliti: 'al',
    iviti: 'ive',
    biliti: 'ble',
  }),
);
const STEP_3 = new Map(
  Object.entries({ icate: 'ic', ative: '', alize: 'al', iciti: 'ic', ical: 'ic', ful: '', ness: '' }),
);
const STEP_4 = 'al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize'.split(' ');

/** Writes v for each vowel and c for each consonant. A y after a consonant is a vowel. */
function shapeOf(word: string): string {
  let shape = '';
  for (const letter of word) shape += 'aeiou'.includes(letter) || (letter === 'y' && shape.endsWith('c')) ? 'v' : 'c';
  return shape;
}

/** Porter's m: the number of vowel-consonant sequences. */
const measureOf = (word: string) => shapeOf(word).match(/v+c+/g)?.length ?? 0;
const hasVowel = (word: string) => shapeOf(word).includes('v');
const endsShort = (word: string) => shapeOf(word).endsWith('cvc') && !/[wxy]$/.test(word);
const endsDouble = (word: string) => /([a-z])\1$/.test(word) && shapeOf(word).endsWith('c');

function withoutPlural(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2);
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

function withoutTense(word: string): string {
  if (word.endsWith('eed')) return measureOf(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const ending = /(?:ed|ing)$/.exec(word)?.[0];
  if (ending === undefined || !hasVowel(word.slice(0, -ending.length))) return word;
  const rest = word.slice(0, -ending.length);
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`;
  if (endsDouble(rest) && !/[lsz]$/.test(rest)) return rest.slice(0, -1);
  return measureOf(rest) === 1 && endsShort(rest) ? `${rest}e` : rest;
}

function replaceLongest(word: string, endings: ReadonlyMap<string, string>, measureMin: number): string {
  const ending = [...endings.keys()].filter((each) => word.endsWith(each)).sort((a, b) => b.length - a.length)[0];
  if (ending === undefined) return word;
  const rest = word.slice(0, -ending.length);
  return measureOf(rest) > measureMin ? rest + (endings.get(ending) ?? '') : word;
}

function withoutDerivation(word: string): string {
  const ending = STEP_4.filter((each) => word.endsWith(each)).sort((a, b) => b.length - a.length)[0];
  if (ending === undefined || (ending === 'ion' && !/[st]ion$/.test(word))) return word;
  return replaceLongest(word, new Map([[ending, '']]), 1);
}

function withoutLastE(word: string): string {
  const rest = word.slice(0, -1);
  const shorter =
    word.endsWith('e') && (measureOf(rest) > 1 || (measureOf(rest) === 1 && !endsShort(rest))) ? rest : word;
  return shorter.endsWith('ll') && measureOf(shorter) > 1 ? shorter.slice(0, -1) : shorter;
}

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
 * Returns the stems of a text. An identifier counts as a whole and by its parts: `eth_getLogs` also counts as "eth" and
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

/** Returns the stems of all words, including stop words. */
export function allStemsOf(text: string): Set<string> {
  return new Set(text.match(/[\p{L}\p{N}_]+/gu)?.map((word) => stem(word.toLowerCase())));
}

function partsOf(name: string): string[] {
  if (!/_|[a-z][A-Z]/.test(name)) return [];
  const parts = name.split(/_+|(?<=[a-z])(?=[A-Z])/).map((part) => part.toLowerCase());
  return parts.filter((part) => part.length > 1 && !STOP_WORDS.has(part)).map(stem);
}

/** Words that callers use interchangeably when they ask about the gateway. */
const GROUPS = [
  'cost price charge bill fee pay',
  'free trial',
  'coin token currency card',
  'refund back',
  'steal stole stolen lost lose leaked',
  'spend spent spending',
  'message chat conversation prompt',
  'picture image photo',
  'request call',
  'account register registration email password',
  'python javascript code program',
  'aloud speech',
  'empty run',
  'write prompt message',
  'support available',
  'client sdk library package',
  'private privacy secret confidential read see',
  'prove guarantee',
  'deposit fund prepay add',
  'limit quota cap',
  'live production',
  'login sign',
  'database sqlite postgres',
  'store keep save data log',
  'voice speech tts audio',
  'encrypt encryption ciphertext',
  'refuse error fail failure',
  'allowance allocation',
  'model llm',
  'chain network blockchain',
  'begin start install launch',
  'delete remove revoke erase',
  'withdraw unstake',
  'endpoint route url',
];

const SYNONYMS = new Map<string, Set<string>>();
for (const group of GROUPS) {
  const stems = group.split(' ').map(stem);
  for (const word of stems)
    SYNONYMS.set(word, new Set([...(SYNONYMS.get(word) ?? []), ...stems.filter((other) => other !== word)]));
}

export function synonymsOf(word: string): readonly string[] {
  return [...(SYNONYMS.get(word) ?? [])];
}
