import { createHash } from 'node:crypto';
import { SPEECH_MODEL_IDS, SPEECH_MODELS, type SpeechModelId } from '@/lib/protocol/speech/speech-models';
import { ENGLISH_VOICE, hintedVoice, readsLatin, voiceOfScript } from './spoken-language';

/** How the engine is set for a request. */
export interface EngineVoice {
  /** A language's voice with a speaker's variant, as `roa/fr+f2`. */
  name: string;
  /** 0 to 99. */
  pitch: number;
  /** How much the pitch moves, 0 to 99. */
  range: number;
}

const FEMALE_VARIANTS = ['f2', 'f1', 'f3', 'f4', 'f5', 'Annie', 'linda', 'steph', 'belinda'];
const MALE_VARIANTS = ['m3', 'm1', 'm2', 'm4', 'm5', 'm6', 'm7', 'm8', 'max'];

/** Voices of women; the others are men's. */
const WOMEN = new Set(
  [
    'Vivian Serena Anna Sohee ara eve Ashley Deborah Elizabeth Julia Olivia Pixie Priya Sarah Wendy Aurora Britney Siobhan Vicky tara leah jess mia zoe Aria Laura',
    'Charlotte Alice Matilda Jessica Lily River WiseWoman InspirationalGirl CalmWoman LivelyGirl LovelyGirl Abbess SweetGirl Zephyr Kore Leda Aoede Callirrhoe Autonoe',
    'Despina Erinome narrator storyteller assistant companion',
  ].flatMap((names) => names.split(' ')),
);

/** The first letter of Kokoro's voices is their language. */
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
 * The embedded voice for a model's voice: always the same, and another for every pair of model and voice. Speaker variant and
 * pitch tell the voices of a model apart, the range of the pitch the models.
 *
 * The language is the hint's where the engine has it, else the one that the letters of the text tell, else the voice's own.
 *
 * @returns null where the model has no such voice
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

/** Cloned voices and a provider's own are embedded ones chosen by their name. */
function positionOf(model: SpeechModelId, voice: string): number | null {
  const { voices, supportsCustomVoiceId } = SPEECH_MODELS[model];
  const position = voices.indexOf(voice);
  if (position >= 0) return position;
  if (!supportsCustomVoiceId && !voice.startsWith('vv_')) return null;
  return createHash('sha256').update(voice).digest().readUInt16BE(0);
}
