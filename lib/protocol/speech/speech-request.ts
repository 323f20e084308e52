import { z } from 'zod';
import { AUDIO_FORMATS } from './audio-format';

/** Limits of a speech request (specification, "Limits"). Lengths are in Unicode code points. */
export const SPEECH_LIMITS = {
  inputCharactersMax: 4_096,
  voiceCharactersMax: 512,
  languageCharactersMin: 2,
  languageCharactersMax: 32,
  promptCharactersMax: 500,
  speedMin: 0.25,
  speedMax: 4,
  temperatureMax: 2,
  topPMax: 1,
} as const;

const {
  inputCharactersMax,
  voiceCharactersMax,
  languageCharactersMin,
  languageCharactersMax,
  promptCharactersMax,
  speedMin,
  speedMax,
  temperatureMax,
  topPMax,
} = SPEECH_LIMITS;

const NUL = '\u0000';
/** Matches a lone surrogate. The u flag treats a surrogate pair as one character. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Body of `POST /audio/speech` (specification, "Text-to-speech request"). Voices and other fields that depend on the
 * model are checked later. Null counts as absent. The gateway drops unknown fields.
 */
export const speechRequestSchema = z.object({
  input: text(1, inputCharactersMax).describe(`Text to speak: 1 to ${inputCharactersMax} characters (code points)`),
  model: z.string().min(1).max(256).nullish().describe('tts-kokoro by default'),
  voice: text(1, voiceCharactersMax)
    .nullish()
    .describe(
      "A voice of the model, or a cloned-voice handle vv_<id> of the same model; by default, the model's default voice",
    ),
  language: text(languageCharactersMin, languageCharactersMax)
    .nullish()
    .describe('Language hint; ignored by models that do not support it'),
  prompt: text(0, promptCharactersMax)
    .nullish()
    .describe('Style prompt; ignored by models without supportsPromptParam'),
  response_format: z.enum(AUDIO_FORMATS).nullish().describe("By default, the model's default_format"),
  speed: z.number().min(speedMin).max(speedMax).nullish().describe('1 by default'),
  streaming: z.boolean().nullish().describe('true sends the audio sentence by sentence, false a whole file'),
  temperature: z
    .number()
    .min(0)
    .max(temperatureMax)
    .nullish()
    .describe('Ignored by models without supportsTemperatureParam'),
  top_p: z.number().min(0).max(topPMax).nullish().describe('Ignored by models without supportsTopPParam'),
});

export type SpeechRequest = z.output<typeof speechRequestSchema>;

/** Counts Unicode code points, the unit of limits and prices. */
export function charactersOf(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    if (isPairAt(text, at)) at++;
    count++;
  }
  return count;
}

function isPairAt(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
}

function text(charactersMin: number, charactersMax: number) {
  return z.string().superRefine((value, context) => {
    const characters = charactersOf(value);
    const refuse = (message: string): void => context.addIssue({ code: 'custom', message });
    if (characters < charactersMin || characters > charactersMax)
      refuse(
        `Must have ${charactersMin === 0 ? 'at most' : `${charactersMin} to`} ${charactersMax} characters, not ${characters}`,
      );
    if (value.includes(NUL)) refuse('Must not contain the character NUL (U+0000)');
    if (LONE_SURROGATE.test(value)) refuse('Must not contain half of a surrogate pair');
  });
}

const MILLION = 1_000_000n;

/**
 * Returns the cost of characters in nano-USD, rounded up.
 *
 * @param nanoUsdPerMillion price per million characters, so that prices below 1 nano-USD per character are exact
 * @throws {RangeError} if the cost exceeds 2^53 - 1
 */
export function speechCostNanoUsd(characters: number, nanoUsdPerMillion: number): number {
  const cost = Number((BigInt(characters) * BigInt(nanoUsdPerMillion) + MILLION - 1n) / MILLION);
  if (!Number.isSafeInteger(cost)) throw new RangeError('The cost is too large to be exact.');
  return cost;
}
