import { z } from 'zod';
import { SPEECH_MODEL_IDS } from '@/lib/protocol/speech/speech-models';
import { Refusal } from '../http/refusal';

const INPUT_CHARACTERS_MAX = 4_096;

const schema = z.object({
  model: z.enum(SPEECH_MODEL_IDS),
  input: z
    .string()
    .refine(
      (input) =>
        input.length > 0 && input.length <= 2 * INPUT_CHARACTERS_MAX && [...input].length <= INPUT_CHARACTERS_MAX,
      'Must be 1 to 4096 characters',
    ),
  voice: z.string().max(512),
  language: z.string().max(32).optional(),
  speed: z.number().min(0.25).max(4).default(1),
  response_format: z.enum(['pcm', 'wav']).default('wav'),
});

export type SpokenRequest = z.infer<typeof schema>;

/** @throws {Refusal} 400 */
export function readSpeechRequest(body: Buffer): SpokenRequest {
  let json: unknown;
  try {
    json = JSON.parse(body.toString('utf8'));
  } catch {
    throw new Refusal(400, 'BAD_JSON', 'The body is not JSON.');
  }
  const { success, data, error } = schema.safeParse(json);
  if (success) return data;
  const issue = error.issues[0];
  throw new Refusal(400, 'BAD_REQUEST', `${issue?.path.join('.') || 'The body'}: ${issue?.message}.`);
}
