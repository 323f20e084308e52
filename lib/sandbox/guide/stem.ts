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
