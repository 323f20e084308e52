import { z } from 'zod';

export const IMAGE_FORMATS = ['png', 'jpeg', 'webp'] as const;
export type ImageFormat = (typeof IMAGE_FORMATS)[number];

/** Returns an image's format by its first bytes; null if unknown. */
export function imageFormatOf(bytes: Uint8Array): ImageFormat | null {
  const starts = (at: number, ...expected: number[]): boolean =>
    expected.every((byte, index) => bytes[at + index] === byte);
  if (starts(0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'png';
  if (starts(0, 0xff, 0xd8, 0xff)) return 'jpeg';
  // "RIFF", a length, "WEBP".
  if (starts(0, 0x52, 0x49, 0x46, 0x46) && starts(8, 0x57, 0x45, 0x42, 0x50)) return 'webp';
  return null;
}

/** Longest prompt, in UTF-16 code units. */
export const IMAGE_PROMPT_MAX = 7_500;
const SEED_MAX = 0xffff_ffff;
const SIDE_MAX = 16_384;

const prompt = z.string().min(1).max(IMAGE_PROMPT_MAX).describe('What the picture shows');
const negativePrompt = z.string().max(IMAGE_PROMPT_MAX).nullish().describe('What it should not show');
const seed = z
  .number()
  .int()
  .min(0)
  .max(SEED_MAX)
  .nullish()
  .describe('The same seed gives the same picture again, if the model supports that');
const model = z.string().min(1).max(256).nullish().describe('By default, the first image model');
const count = z.number().int().min(1).max(10).nullish();
const side = z.number().int().min(1).max(SIDE_MAX).nullish();
const format = z.enum(IMAGE_FORMATS).nullish().describe("By default, the model's first format");

/** Body of `POST /images/generations`, in OpenAI's format. Null counts as absent. The gateway drops unknown fields. */
export const imageGenerationsSchema = z
  .object({
    model,
    prompt,
    n: count.describe('Number of pictures; 1 by default'),
    size: z
      .string()
      .regex(/^(auto|[1-9][0-9]{0,4}x[1-9][0-9]{0,4})$/, 'Must be width and height such as "1024x1024"')
      .nullish()
      .describe('A size of the model; by default, and for "auto", its first size'),
    response_format: z
      .enum(['b64_json', 'url'])
      .nullish()
      .describe('Only b64_json, the default. url is refused, because the gateway stores no pictures'),
    stream: z
      .literal(false, 'Must be false: pictures are not streamed')
      .nullish()
      .describe('Only false. Pictures are not streamed'),
    output_format: format,
    seed,
    negative_prompt: negativePrompt,
  })
  .meta({ id: 'ImageGenerationsRequest' });

/** Body of `POST /image/generate`. Null counts as absent. The gateway drops unknown fields. */
export const imageGenerateSchema = z
  .object({
    model,
    prompt,
    negative_prompt: negativePrompt,
    width: side.describe('With height, a size of the model; by default, its first size'),
    height: side,
    variants: count.describe('Number of pictures; 1 by default, and always 1 with return_binary'),
    format,
    return_binary: z.boolean().nullish().describe('true returns the picture itself instead of JSON'),
    seed,
  })
  .meta({ id: 'ImageGenerateRequest' });

export const imageGenerationsAnswerSchema = z
  .object({
    created: z.number().int().describe('Unix seconds'),
    data: z.array(z.object({ b64_json: z.string() })),
    output_format: z.enum(IMAGE_FORMATS),
    size: z.string(),
  })
  .meta({ id: 'ImageGenerations' });

export const imageGenerateAnswerSchema = z
  .object({
    id: z.string(),
    images: z.array(z.string()).describe('Base64'),
    timing: z
      .object({
        inferenceDuration: z.number(),
        inferencePreprocessingTime: z.number(),
        inferenceQueueTime: z.number(),
        total: z.number(),
      })
      .describe('Milliseconds'),
  })
  .meta({ id: 'GeneratedImages' });
