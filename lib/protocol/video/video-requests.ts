import { z } from 'zod';

/** Longest prompt, in code points. */
export const VIDEO_PROMPT_MAX = 2_500;
const VIDEO_SEED_MAX = 0xffff_ffff;

/** Schema of a prompt. Counts code points, and refuses U+0000 and lone surrogates. */
const prompt = (min: number) => z.string().superRefine((text, context) => refuseText(text, min, context));

const duration = z.string().regex(/^[1-9][0-9]{0,2}s$/, 'Must be whole seconds such as "5s"');

const aspectRatio = z.string().regex(/^[1-9][0-9]{0,2}:[1-9][0-9]{0,2}$/, 'Must be two numbers such as "16:9"');

/** Body of POST /video/queue. GET /models?type=video lists each model's durations, ratios and resolutions. */
export const videoQueueSchema = z
  .object({
    model: z.string().min(1).max(256),
    prompt: prompt(1).describe(`What the video shows: 1 to ${VIDEO_PROMPT_MAX} characters`),
    negative_prompt: prompt(0).optional().describe(`What it should not show: at most ${VIDEO_PROMPT_MAX} characters`),
    duration: duration.optional().describe('By default, the first that the model lists'),
    aspect_ratio: aspectRatio.optional().describe('By default, the first that the model lists'),
    resolution: z.string().min(1).max(16).optional().describe('By default, the first that the model lists'),
    seed: z
      .number()
      .int()
      .min(0)
      .max(VIDEO_SEED_MAX)
      .optional()
      .describe('The same seed and prompt give the same video, if the model supports that'),
  })
  .meta({ id: 'VideoQueueRequest' });

/** A missing value, or a value that is not a string, gets zod's usual message. */
const queueId = z
  .guid({ error: ({ code }) => (code === 'invalid_type' ? undefined : 'Must be a UUID') })
  .transform((id) => id.toLowerCase());

/** Body of POST /video/complete (specification, "Video completion request"). */
export const videoCompleteSchema = z
  .object({ model: z.string().min(1).max(256), queue_id: queueId })
  .meta({ id: 'VideoCompleteRequest' });

export const videoRetrieveSchema = z
  .object({
    model: z.string().min(1).max(256).optional().describe('Model of the request, optional; a different one is 404'),
    queue_id: queueId,
    delete_media_on_completion: z
      .boolean()
      .default(false)
      .describe('true deletes the video after its whole body was sent'),
  })
  .meta({ id: 'VideoRetrieveRequest' });

export type VideoQueueRequest = z.output<typeof videoQueueSchema>;
export type VideoRetrieveRequest = z.output<typeof videoRetrieveSchema>;

export const videoQueuedSchema = z.object({ model: z.string(), queue_id: z.string() }).meta({ id: 'VideoQueued' });

/** Answer of POST /video/retrieve while the video is generated. Times are in milliseconds. */
export const videoProgressSchema = z
  .object({ status: z.literal('PROCESSING'), average_execution_time: z.number(), execution_duration: z.number() })
  .meta({ id: 'VideoProgress' });

export type VideoProgress = z.output<typeof videoProgressSchema>;

function refuseText(text: string, min: number, context: z.RefinementCtx): void {
  const refuse = (message: string): void => context.addIssue({ code: 'custom', message });
  // A code point has at most two code units, so a longer text need not be split.
  const isTooLong = text.length > 2 * VIDEO_PROMPT_MAX || [...text].length > VIDEO_PROMPT_MAX;
  if (isTooLong || text.length < min)
    refuse(`Must have ${min === 0 ? 'at most' : `${min} to`} ${VIDEO_PROMPT_MAX} characters`);
  if (text.includes('\0')) refuse('Must not contain the character U+0000');
  if (/\p{Surrogate}/u.test(text)) refuse('Must not contain half of a surrogate pair');
}
