import { z } from 'zod';

/** Longest prompt, in UTF-16 code units. No model reads a longer prompt. */
export const TRANSCRIPTION_PROMPT_MAX = 7_500;
const TRANSCRIPT_FORMATS = ['json', 'verbose_json', 'text', 'srt', 'vtt'] as const;
export type TranscriptFormat = (typeof TRANSCRIPT_FORMATS)[number];

/**
 * Fields of `POST /audio/transcriptions` besides the file, in OpenAI's format. An empty string counts as absent. The
 * gateway drops unknown fields.
 */
export const transcriptionFieldsSchema = z.object({
  model: z.string().max(256).optional().describe('By default, the first transcription model'),
  language: z
    .string()
    .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/, 'Must be a language code such as "en"')
    .optional()
    .describe('Language of the speech, as ISO 639-1; recognized by default'),
  prompt: z
    .string()
    .max(TRANSCRIPTION_PROMPT_MAX)
    .optional()
    .describe('Text in the language of the speech that shows style and spelling'),
  response_format: z.enum(TRANSCRIPT_FORMATS).optional().describe('json by default'),
  temperature: z.coerce.number().min(0).max(1).optional().describe('0 to 1; the model decides by default'),
  'timestamp_granularities[]': z
    .array(z.enum(['word', 'segment']))
    .max(2)
    .optional()
    .describe('Only with verbose_json: times of words, segments or both'),
});

export type TranscriptionFields = z.output<typeof transcriptionFieldsSchema>;

const times = { start: z.number(), end: z.number() };
const segment = z.object({
  id: z.number().optional(),
  seek: z.number().optional(),
  ...times,
  text: z.string(),
  tokens: z.array(z.number()).optional(),
  temperature: z.number().nullish(),
  avg_logprob: z.number().nullish(),
  compression_ratio: z.number().nullish(),
  no_speech_prob: z.number().nullish(),
});

/** Answer of a model server in the format verbose_json. The gateway drops other fields. */
export const verboseTranscriptSchema = z.object({
  task: z.string().optional(),
  language: z.string().nullish(),
  duration: z.union([z.number(), z.string()]).nullish(),
  text: z.string(),
  segments: z.array(segment).nullish(),
  words: z.array(z.object({ word: z.string(), ...times })).nullish(),
});

const usage = z
  .object({ type: z.literal('duration'), seconds: z.number().int() })
  .describe('Measured seconds, rounded up. The price counts milliseconds');

/** Answer of `POST /audio/transcriptions` in the formats json and verbose_json. */
export const transcriptSchema = verboseTranscriptSchema.extend({ usage }).meta({ id: 'Transcript' });
