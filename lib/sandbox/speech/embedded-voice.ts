import { createHash } from 'node:crypto';
import { SPEECH_MODEL_IDS, SPEECH_MODELS, type SpeechModelId } from '@/lib/protocol/speech/speech-models';
import { ENGLISH_VOICE, hintedVoice, readsLatin, voiceOfScript } from './spoken-language';

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
 * The engine speaks `language` if it knows that language, else the language of the text's script, else the voice's
 * language. English replaces the voice's language if that language does not use Latin letters but the text does.
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
