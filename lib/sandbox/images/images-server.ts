import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { imageGenerationsSchema } from '@/lib/protocol/images/image-requests';
import { readBody } from '../http/read-body';
import { Refusal, sendJson } from '../http/refusal';
import { drawImage } from './draw-image';

const BODY_BYTES_MAX = 256 * 1024;
const COUNT_MAX = 4;

export const STAND_IN_IMAGE_MODEL = {
  id: 'stand-in-image',
  name: 'Sandbox stand-in: draws the prompt as text, no model',
  usdPerImage: { '1024x1024': '0.04', '512x512': '0.01', '1024x576': '0.03', '576x1024': '0.03' },
  formats: ['png'],
  fields: ['seed', 'negative_prompt'],
} as const;

/**
 * Simulates an images server with OpenAI's image generation API. Images are stills of the simulated videos. Paths after
 * `/v1`: `GET /models` and `POST /images/generations`, which always answers with PNG in base64.
 * @throws {Refusal}
 */
export async function answerImages(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
  const call = `${request.method} ${path}`;
  const { id, usdPerImage } = STAND_IN_IMAGE_MODEL;
  if (call === 'GET /models')
    return sendJson(response, 200, {
      object: 'list',
      data: [{ id, object: 'model', created: 0, owned_by: 'turnpike-sandbox' }],
    });
  if (call !== 'POST /images/generations') throw new Refusal(404, 'NOT_FOUND', 'There is nothing at this path.');
  const asked = imageGenerationsSchema.safeParse(parsed(await readBody(request, BODY_BYTES_MAX)));
  if (!asked.success) throw new Refusal(400, 'INVALID_REQUEST', 'The request for pictures is not valid.');
  const { model, prompt, negative_prompt: negativePrompt, seed, n, size = '1024x1024' } = asked.data;
  if (model !== id) throw new Refusal(404, 'MODEL_NOT_FOUND', 'The stand-in has no such model.');
  if (size === null || !(size in usdPerImage) || (n ?? 1) > COUNT_MAX)
    throw new Refusal(400, 'INVALID_REQUEST', 'The stand-in does not draw pictures of this size, or this many.');
  const [width, height] = size.split('x').map(Number) as [number, number];
  const first = seed ?? createHash('sha256').update(prompt).digest().readUInt32BE(0);
  const data: { b64_json: string }[] = [];
  // Draws one image at a time, because chats and chains share the processor.
  for (let index = 0; index < (n ?? 1); index++) {
    const image = await drawImage({
      prompt,
      negativePrompt: negativePrompt ?? '',
      seed: (first + index) >>> 0,
      width,
      height,
    });
    data.push({ b64_json: image.toString('base64') });
  }
  sendJson(response, 200, { created: Math.floor(Date.now() / 1_000), data });
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new Refusal(400, 'INVALID_JSON', 'The body is not JSON.');
  }
}
