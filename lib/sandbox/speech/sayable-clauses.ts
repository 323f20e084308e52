import { splitLongText } from '@/lib/protocol/speech/split-long-text';

/**
 * The engine cuts numbers off after 12 digits, spelled words after about 20 letters, and other words after 45 to 150
 * letters.
 */
const SPELLED = /[bcdfghjklmnpqrstvwxzß]{16}(?=[bcdfghjklmnpqrstvwxzß])/giu;
const DIGITS = /\p{Nd}{12}(?=\p{Nd})/gu;
const WORD_UNITS_MAX = 40;
const LONG_WORD = /\S{41,}/gu;
const LONG_WORD_BESIDE_HAN = /[^\s\p{Script=Han}]{41,}/gu;
/** Matches four Han characters before a fifth. Voices that are not Chinese read each as the words "Chinese letter". */
const HAN = /\p{Script=Han}{4}(?=\p{Script=Han})/gu;
/**
 * Maximum weight of a clause: 60 Han characters or digits, or 240 letters. The engine fails beyond about 200 Han
 * characters or 120 digits.
 */
const CLAUSE_WEIGHT_MAX = 240;
const HEAVY = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Nd}\p{S}]/u;
const VOWEL = /[aeiouyà-æè-ïò-öø-ý]|[^\p{Script=Latin}]/iu;
const CLAUSE_END = /^[.,;:!?…、。，；：！？]/u;
const CHINESE_VOICE = 'sit/cmn';

/**
 * Splits a text into clauses that the engine speaks completely. Also splits overlong words and numbers. The joined
 * clauses equal the text, except for added blanks.
 */
export function sayableClauses(text: string, voiceName: string): string[] {
  const clauses: string[] = [];
  let clause = '';
  let weight = 0;
  let before = '';
  let wordBefore = '';
  for (const { segment } of segmenter().segment(sayableWords(text, voiceName))) {
    const canBreak = /\s$/u.test(before) || /^\p{Script=Han}/u.test(segment);
    // The engine speaks only the first few repetitions of a letter.
    const isRepeated = segment === wordBefore && /^[\p{L}\p{N}]$/u.test(segment);
    const added = weightOf(segment);
    if (clause !== '' && canBreak && (isRepeated || weight + added > CLAUSE_WEIGHT_MAX)) {
      clauses.push(clause);
      clause = '';
      weight = 0;
    }
    clause += segment;
    weight = CLAUSE_END.test(segment) ? 0 : weight + added;
    before = segment;
    if (/\S/u.test(segment)) wordBefore = segment;
  }
  clauses.push(clause);
  return clauses;
}

function sayableWords(text: string, voiceName: string): string {
  const isChinese = voiceName.startsWith(CHINESE_VOICE);
  const inBounds = text.replace(DIGITS, '$& ').replace(SPELLED, '$& ');
  const hanInBounds = isChinese ? inBounds : inBounds.replace(HAN, '$& ');
  return hanInBounds.replace(isChinese ? LONG_WORD_BESIDE_HAN : LONG_WORD, (word) =>
    splitLongText(word, WORD_UNITS_MAX).join(' '),
  );
}

/** Estimates how much of the engine's limit a segment uses. A letter of a word counts 1. */
function weightOf(segment: string): number {
  if (!/\S/u.test(segment)) return 0;
  const characters = [...segment];
  if (characters.length <= 2 && /\p{L}/u.test(segment)) return 4 * characters.length;
  const letter = VOWEL.test(segment) ? 1 : 3;
  return characters.reduce((sum, character) => sum + (HEAVY.test(character) ? 4 : letter), 0);
}

let made: Intl.Segmenter | undefined;

function segmenter(): Intl.Segmenter {
  return (made ??= new Intl.Segmenter('en', { granularity: 'word' }));
}
