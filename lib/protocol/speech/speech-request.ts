import { z } from 'zod';
import { AUDIO_FORMATS } from './audio-format';

/** Limits of a speech request (specification, "Limits"). Lengths are in characters: Unicode code points. */
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
/** In Unicode mode a surrogate that is one of a pair is no surrogate. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * The body of `POST /audio/speech` (specification, "Text-to-speech request"). What depends on the model, such as its
 * voices, is not checked here. Null is as good as absent; unknown fields are dropped.
 */
export const speechRequestSchema = z.object({
  input: text(1, inputCharactersMax).describe(
    `What is to be said: 1 to ${inputCharactersMax} characters (code points)`,
  ),
  model: z.string().min(1).max(256).nullish().describe('tts-kokoro unless given'),
  voice: text(1, voiceCharactersMax)
    .nullish()
    .describe('A voice of the model, or a cloned-voice handle vv_<id> of the same model; its default unless given'),
  language: text(languageCharactersMin, languageCharactersMax)
    .nullish()
    .describe('Ignored where the model does not take it'),
  prompt: text(0, promptCharactersMax)
    .nullish()
    .describe('How it is to be said; ignored by models without supportsPromptParam'),
  response_format: z.enum(AUDIO_FORMATS).nullish().describe("The model's default_format unless given"),
  speed: z.number().min(speedMin).max(speedMax).nullish().describe('1 unless given'),
  streaming: z.boolean().nullish().describe('Audio sentence by sentence, as it is ready'),
  temperature: z
    .number()
    .min(0)
    .max(temperatureMax)
    .nullish()
    .describe('Ignored by models without supportsTemperatureParam'),
  top_p: z.number().min(0).max(topPMax).nullish().describe('Ignored by models without supportsTopPParam'),
});

export type SpeechRequest = z.output<typeof speechRequestSchema>;

/** How many characters a text has, as they are limited and charged: Unicode code points. */
export function charactersOf(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    // The second half of a pair is no character of its own.
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
    if (value.includes(NUL)) refuse('Must not hold the character NUL (U+0000)');
    if (LONE_SURROGATE.test(value)) refuse('Must not hold half of a surrogate pair');
  });
}
