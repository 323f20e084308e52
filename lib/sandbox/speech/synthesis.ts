import { SPEECH_SAMPLE_RATE } from '@/lib/protocol/speech/audio-format';
import { floatsToInt16, Resampler } from '@/lib/protocol/speech/resampler';
import { splitLongText } from '@/lib/protocol/speech/split-sentences';
import type { EngineVoice } from './embedded-voice';
import { ENGINE_RATE, ENGINE_SAMPLE_RATE, type Espeak } from './espeak';
import { timeStretch } from './time-stretch';

/**
 * The engine cuts numbers off after 12 digits, spelled words after about 20 letters, and other words after 45 to 150
 * letters.
 */
const SPELLED = /[bcdfghjklmnpqrstvwxzß]{16}(?=[bcdfghjklmnpqrstvwxzß])/giu;
const DIGITS = /\p{Nd}{12}(?=\p{Nd})/gu;
const WORD_UNITS_MAX = 40;
const LONG_WORD = /\S{41,}/gu;
const LONG_WORD_BESIDE_HAN = /[^\s\p{Script=Han}]{41,}/gu;
/**
 * Matches four Han characters before a fifth, to insert a space. Voices that are not Chinese read each character as the
 * words "Chinese letter", and the engine cuts off long words.
 */
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
 * clauses equal the text, except for added spaces.
 */
function sayableClauses(text: string, voiceName: string): string[] {
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

export interface SynthesisOrder {
  text: string;
  voice: EngineVoice;
  /** 0.25 to 4. */
  speed: number;
}

/** Volume below 100, because some speaker variants clip at 100. */
const VOLUME = 80;
/** Range of speeds that the engine itself handles well. Time stretching does the rest. */
const ENGINE_SPEED = { min: 0.5, max: 2.2 };
/** Sound up to this length counts as silence. For a space, the engine returns 7 ms of sound. */
const WORDLESS_SECONDS = 0.05;
const SILENCE_SECONDS = 0.3;
const SAMPLES_PER_PIECE = 12_000;
/** Ends a clause with a nearly inaudible pause. */
const CLAUSE_BREAK = '<break time="20ms"/>';

/**
 * Speaks a text. Calls `emit` with chunks of 24 kHz mono audio. `emit` returns whether to continue. For a text without
 * words, emits a short silence.
 *
 * At twice the speed, speech must take half the time, but the engine hardly shortens pauses. At speeds other than 1,
 * the function therefore measures the duration at speed 1 first, and stretches the audio to the right duration.
 *
 * @throws for an unknown voice, which the engine itself would ignore
 */
export function synthesize(
  espeak: Espeak,
  { text, voice, speed }: SynthesisOrder,
  emit: (samples: Int16Array<ArrayBuffer>) => boolean,
): void {
  if (espeak.set_voice(voice.name) !== 0) throw new Error(`The engine has no voice ${voice.name}.`);
  espeak.set_pitch(voice.pitch);
  espeak.set_range(voice.range);
  espeak.set_volume(VOLUME);
  espeak.set_rate(ENGINE_RATE);
  const markup = sayableClauses(text, voice.name).map(asMarkup).join(CLAUSE_BREAK);
  const spoken = speed === 1 ? speakOn(espeak, markup, emit) : speakStretched(espeak, markup, speed, emit);
  if (spoken < WORDLESS_SECONDS) emit(new Int16Array(Math.round((SILENCE_SECONDS * SPEECH_SAMPLE_RATE) / speed)));
}

function speakOn(espeak: Espeak, markup: string, emit: (samples: Int16Array<ArrayBuffer>) => boolean): number {
  const resampler = new Resampler(ENGINE_SAMPLE_RATE, SPEECH_SAMPLE_RATE);
  let sampleCount = 0;
  let isWanted = true;
  const pass = (floats: Float32Array) => {
    sampleCount += floats.length;
    if (isWanted && floats.length > 0) isWanted = emit(floatsToInt16(floats));
  };
  espeak.synthesize(markup, (samples) => {
    if (samples !== null) pass(resampler.push(asFloats(samples)));
    return !isWanted;
  });
  pass(resampler.end());
  return sampleCount / SPEECH_SAMPLE_RATE;
}

function speakStretched(
  espeak: Espeak,
  markup: string,
  speed: number,
  emit: (samples: Int16Array<ArrayBuffer>) => boolean,
): number {
  // Calls `emit` with empty chunks, because its result says whether to continue.
  const listen = (take: (samples: Int16Array) => void) =>
    espeak.synthesize(markup, (samples) => {
      if (samples !== null) take(samples);
      return !emit(new Int16Array(0));
    });
  let plainLength = 0;
  listen(({ length }) => (plainLength += length));
  espeak.set_rate(Math.round(ENGINE_RATE * Math.min(ENGINE_SPEED.max, Math.max(ENGINE_SPEED.min, speed))));
  const parts: Int16Array[] = [];
  listen((samples) => parts.push(samples));
  const raw = asFloats(...parts);
  const wantedLength = plainLength / speed;
  const resampler = new Resampler(ENGINE_SAMPLE_RATE, SPEECH_SAMPLE_RATE);
  const stretched = timeStretch(raw, raw.length / wantedLength, ENGINE_SAMPLE_RATE);
  for (let at = 0; at < stretched.length; at += SAMPLES_PER_PIECE) {
    if (!emit(floatsToInt16(resampler.push(stretched.subarray(at, at + SAMPLES_PER_PIECE))))) return plainLength;
  }
  emit(floatsToInt16(resampler.end()));
  return plainLength / ENGINE_SAMPLE_RATE;
}

/**
 * Escapes text for the engine's markup, so that SSML and phonemes are plain text and no character ends the text early.
 */
function asMarkup(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('[[', '[ [')
    .replace(/[\0-\x08\x0b-\x1f\x7f]/g, ' ');
}

function asFloats(...parts: Int16Array[]): Float32Array {
  const floats = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    for (const sample of part) floats[at++] = sample / 32_768;
  }
  return floats;
}
