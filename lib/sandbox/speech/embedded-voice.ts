import { SPEECH_MODEL_IDS, SPEECH_MODELS, type SpeechModelId } from '@/lib/protocol/speech/speech-models';
import { createHash } from 'node:crypto';

interface SpokenLanguage {
  /** ISO 639-1. */
  code: string;
  /** English names in lower case. */
  names: readonly string[];
  engineVoice: string;
  script?: RegExp;
}

const ENGLISH_VOICE = 'gmw/en-US';

/**
 * Languages and their scripts. The first language whose script matches wins. Japanese precedes Chinese, because only
 * Japanese has kana.
 */
const LANGUAGES: readonly SpokenLanguage[] = [
  { code: 'en', names: ['english'], engineVoice: ENGLISH_VOICE },
  { code: 'ru', names: ['russian'], engineVoice: 'zle/ru', script: /\p{Script=Cyrillic}/gu },
  { code: 'el', names: ['greek'], engineVoice: 'grk/el', script: /\p{Script=Greek}/gu },
  { code: 'ar', names: ['arabic'], engineVoice: 'sem/ar', script: /\p{Script=Arabic}/gu },
  { code: 'he', names: ['hebrew'], engineVoice: 'sem/he', script: /\p{Script=Hebrew}/gu },
  { code: 'hi', names: ['hindi'], engineVoice: 'inc/hi', script: /\p{Script=Devanagari}/gu },
  { code: 'bn', names: ['bengali', 'bangla'], engineVoice: 'inc/bn', script: /\p{Script=Bengali}/gu },
  { code: 'ta', names: ['tamil'], engineVoice: 'dra/ta', script: /\p{Script=Tamil}/gu },
  { code: 'te', names: ['telugu'], engineVoice: 'dra/te', script: /\p{Script=Telugu}/gu },
  { code: 'th', names: ['thai'], engineVoice: 'tai/th', script: /\p{Script=Thai}/gu },
  { code: 'ka', names: ['georgian'], engineVoice: 'ccs/ka', script: /\p{Script=Georgian}/gu },
  { code: 'hy', names: ['armenian'], engineVoice: 'ine/hy', script: /\p{Script=Armenian}/gu },
  { code: 'ko', names: ['korean'], engineVoice: 'ko', script: /\p{Script=Hangul}/gu },
  { code: 'ja', names: ['japanese'], engineVoice: 'jpx/ja', script: /[\p{Script=Hiragana}\p{Script=Katakana}]/gu },
  { code: 'zh', names: ['chinese', 'mandarin'], engineVoice: 'sit/cmn', script: /\p{Script=Han}/gu },
  { code: 'uk', names: ['ukrainian'], engineVoice: 'zle/uk' },
  { code: 'bg', names: ['bulgarian'], engineVoice: 'zls/bg' },
  { code: 'mr', names: ['marathi'], engineVoice: 'inc/mr' },
  { code: 'fa', names: ['persian', 'farsi'], engineVoice: 'ira/fa' },
  { code: 'ur', names: ['urdu'], engineVoice: 'inc/ur' },
  { code: 'es', names: ['spanish'], engineVoice: 'roa/es' },
  { code: 'fr', names: ['french'], engineVoice: 'roa/fr' },
  { code: 'de', names: ['german'], engineVoice: 'gmw/de' },
  { code: 'it', names: ['italian'], engineVoice: 'roa/it' },
  { code: 'pt', names: ['portuguese'], engineVoice: 'roa/pt-BR' },
  { code: 'nl', names: ['dutch'], engineVoice: 'gmw/nl' },
  { code: 'pl', names: ['polish'], engineVoice: 'zlw/pl' },
  { code: 'cs', names: ['czech'], engineVoice: 'zlw/cs' },
  { code: 'sk', names: ['slovak'], engineVoice: 'zlw/sk' },
  { code: 'hr', names: ['croatian'], engineVoice: 'zls/hr' },
  { code: 'ro', names: ['romanian'], engineVoice: 'roa/ro' },
  { code: 'hu', names: ['hungarian'], engineVoice: 'urj/hu' },
  { code: 'fi', names: ['finnish'], engineVoice: 'urj/fi' },
  { code: 'sv', names: ['swedish'], engineVoice: 'gmq/sv' },
  { code: 'da', names: ['danish'], engineVoice: 'gmq/da' },
  { code: 'no', names: ['norwegian'], engineVoice: 'gmq/nb' },
  { code: 'tr', names: ['turkish'], engineVoice: 'trk/tr' },
  { code: 'id', names: ['indonesian'], engineVoice: 'poz/id' },
  { code: 'ms', names: ['malay'], engineVoice: 'poz/ms' },
  { code: 'vi', names: ['vietnamese'], engineVoice: 'aav/vi' },
  { code: 'ca', names: ['catalan'], engineVoice: 'roa/ca' },
];

/**
 * Returns the engine's voice for a language, given as an English name or as an ISO 639-1 code with or without a region.
 * Null for any other text.
 */
function hintedVoice(hint: string): string | null {
  const wanted = hint.trim().toLowerCase();
  const code = wanted.split(/[-_]/, 1)[0];
  return LANGUAGES.find((language) => language.code === code || language.names.includes(wanted))?.engineVoice ?? null;
}

/**
 * Returns the engine's voice for a text whose script identifies the language. Null for Latin script and for texts
 * without letters.
 */
function voiceOfScript(text: string): string | null {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (countOf(text, /[\p{Script=Hiragana}\p{Script=Katakana}]/gu) * 10 > letters) return 'jpx/ja';
  return (
    LANGUAGES.find(({ script }) => script !== undefined && countOf(text, script) * 2 > letters)?.engineVoice ?? null
  );
}

function readsLatin(engineVoice: string): boolean {
  const language = LANGUAGES.find((each) => each.engineVoice === engineVoice);
  return (
    language === undefined || (language.script === undefined && !['uk', 'bg', 'mr', 'fa', 'ur'].includes(language.code))
  );
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

export interface EngineVoice {
  /** A language's voice with a speaker variant, such as `roa/fr+f2`. */
  name: string;
  /** 0 to 99. */
  pitch: number;
  /** Pitch range, 0 to 99. */
  range: number;
}

const FEMALE_VARIANTS = ['f2', 'f1', 'f3', 'f4', 'f5', 'Annie', 'linda', 'steph', 'belinda'];
const MALE_VARIANTS = ['m3', 'm1', 'm2', 'm4', 'm5', 'm6', 'm7', 'm8', 'max'];

const WOMEN = new Set(
  [
    'Vivian Serena Anna Sohee ara eve Ashley Deborah Elizabeth Julia Olivia Pixie Priya Sarah Wendy Aurora Britney Siobhan Vicky tara leah jess mia zoe Aria Laura',
    'Charlotte Alice Matilda Jessica Lily River WiseWoman InspirationalGirl CalmWoman LivelyGirl LovelyGirl Abbess SweetGirl Zephyr Kore Leda Aoede Callirrhoe Autonoe',
    'Despina Erinome narrator storyteller assistant companion',
  ].flatMap((names) => names.split(' ')),
);

const KOKORO_LANGUAGES: Readonly<Record<string, string>> = {
  a: ENGLISH_VOICE,
  b: 'gmw/en',
  e: 'roa/es',
  f: 'roa/fr',
  h: 'inc/hi',
  i: 'roa/it',
  j: 'jpx/ja',
  p: 'roa/pt-BR',
  z: 'sit/cmn',
};

const PITCH = { lowest: 32, step: 7 };
const RANGE = { lowest: 30, step: 5 };

/**
 * Returns the engine's voice for a model's voice. Speaker variant and pitch depend on the voice, the pitch range on the
 * model.
 *
 * The engine speaks `language` if it supports that language, else the language of the text's script, else the voice's
 * language. If the text has Latin letters and the voice's language does not use them, the engine speaks English.
 *
 * @returns null if the model has no such voice
 */
export function embeddedVoice(
  model: SpeechModelId,
  voice: string,
  text: string,
  language?: string,
): EngineVoice | null {
  const position = positionOf(model, voice);
  if (position === null) return null;
  const isKokoro = /^[a-z][fm]_/.test(voice);
  const variants = (isKokoro ? voice[1] === 'f' : WOMEN.has(voice)) ? FEMALE_VARIANTS : MALE_VARIANTS;
  const own = (isKokoro && KOKORO_LANGUAGES[voice[0] ?? '']) || ENGLISH_VOICE;
  const spoken =
    (language === undefined ? null : hintedVoice(language)) ??
    voiceOfScript(text) ??
    (readsLatin(own) || !/\p{Script=Latin}/u.test(text) ? own : ENGLISH_VOICE);
  return {
    name: `${spoken}+${variants[position % variants.length]}`,
    pitch: PITCH.lowest + PITCH.step * (Math.floor(position / variants.length) % 8),
    range: RANGE.lowest + RANGE.step * SPEECH_MODEL_IDS.indexOf(model),
  };
}

/** Returns the voice's position in the model's list. Cloned voices and custom ids get a position from a hash. */
function positionOf(model: SpeechModelId, voice: string): number | null {
  const { voices, supportsCustomVoiceId } = SPEECH_MODELS[model];
  const position = voices.indexOf(voice);
  if (position >= 0) return position;
  if (!supportsCustomVoiceId && !voice.startsWith('vv_')) return null;
  return createHash('sha256').update(voice).digest().readUInt16BE(0);
}
