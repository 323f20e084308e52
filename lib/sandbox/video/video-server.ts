import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type VideoQueueRequest, videoCompleteSchema, videoQueueSchema } from '@/lib/protocol/video/video-requests';
import { readBody } from '../http/read-body';
import { Refusal, sendJson } from '../http/refusal';
import type { RenderSettings } from './render-video';
import { STUDIO_FAILURES, StudioBusy, type StudioFailure, type Take, type VideoStudio } from './video-studio';

const BODY_BYTES_MAX = 256 * 1024;
const RETRY_AFTER_SECONDS = '3';

/** Simulated model. In each list of `model_spec`, the first entry is the default. */
const STAND_IN_VIDEO_MODEL = {
  id: 'stand-in-video',
  type: 'video',
  object: 'model',
  created: 1_763_683_200,
  owned_by: 'turnpike-sandbox',
  model_spec: {
    name: 'Sandbox stand-in',
    engine: 'sandbox renderer: draws the prompt as text, no model',
    durations: ['5s', '3s', '8s', '10s'],
    aspect_ratios: ['16:9', '9:16', '1:1', '4:3', '3:4'],
    resolutions: ['270p'],
  },
};

/**
 * Implements the gateway's own protocol for video upstreams: `GET /models`, `POST /video/queue` (idempotent with an
 * `Idempotency-Key`), `/video/retrieve` and `/video/complete`.
 *
 * @param rest path below `/video/v1`
 * @throws {Refusal}
 */
export async function answerVideo(
  studio: VideoStudio,
  request: IncomingMessage,
  response: ServerResponse,
  rest: string,
): Promise<void> {
  if (studio.failure === 'away')
    throw new Refusal(503, 'AWAY', 'The stand-in was told not to answer.', { 'retry-after': '1' });
  if (rest === '/models' && request.method === 'GET')
    return sendJson(response, 200, { object: 'list', type: 'video', data: [STAND_IN_VIDEO_MODEL] });
  const answerOne = { '/video/queue': queue, '/video/retrieve': retrieve, '/video/complete': complete }[rest];
  if (!answerOne) throw new Refusal(404, 'NOT_FOUND', 'There is nothing at this path.');
  if (request.method !== 'POST')
    throw new Refusal(405, 'METHOD_NOT_ALLOWED', 'This path answers POST only.', { allow: 'POST' });
  const header = request.headers['idempotency-key'];
  answerOne(
    studio,
    parse(await readBody(request, BODY_BYTES_MAX)),
    response,
    typeof header === 'string' ? header : null,
  );
}

/**
 * Sets or clears a simulated failure: `{"failure": "render" | "refuse" | "away" | "stall" | null}`.
 *
 * @throws {Refusal} 400
 */
export async function setStudioFailure(
  studio: VideoStudio,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { failure } = parse(await readBody(request, BODY_BYTES_MAX)) as { failure?: unknown };
  const known = STUDIO_FAILURES.find((each): each is StudioFailure => each === failure);
  if (known === undefined && failure !== null)
    throw new Refusal(400, 'INVALID_REQUEST', `"failure" must be ${STUDIO_FAILURES.join(', ')} or null.`);
  studio.failure = known ?? null;
  sendJson(response, 200, { failure: studio.failure });
}

function queue(studio: VideoStudio, body: unknown, response: ServerResponse, key: string | null): void {
  const asked = videoQueueSchema.safeParse(body);
  if (!asked.success) throw new Refusal(400, 'INVALID_REQUEST', 'The request for a video is not valid.');
  const { id, model_spec: offer } = STAND_IN_VIDEO_MODEL;
  if (asked.data.model !== id) throw new Refusal(404, 'MODEL_NOT_FOUND', 'The stand-in has no such model.');
  const { duration = offer.durations[0], aspect_ratio: ratio = offer.aspect_ratios[0] } = asked.data;
  if (!offer.durations.includes(duration as string) || !offer.aspect_ratios.includes(ratio as string))
    throw new Refusal(400, 'INVALID_REQUEST', 'The stand-in does not offer this duration or aspect ratio.');
  if (studio.failure === 'refuse') throw new Refusal(400, 'MODEL_REFUSED', 'The stand-in was told to refuse.');
  try {
    sendJson(response, 200, {
      model: id,
      queue_id: studio.ask(id, settingsOf(asked.data, duration as string, ratio as string), key).id,
    });
  } catch (error) {
    if (error instanceof StudioBusy)
      throw new Refusal(503, 'VIDEO_QUEUE_FULL', 'The stand-in already has enough videos to render.', {
        'retry-after': RETRY_AFTER_SECONDS,
      });
    throw error;
  }
}

function settingsOf(
  { prompt, negative_prompt: negativePrompt = '', seed }: VideoQueueRequest,
  duration: string,
  ratio: string,
): RenderSettings {
  const [wide, high] = ratio.split(':').map(Number) as [number, number];
  return {
    prompt,
    negativePrompt,
    seed: seed ?? createHash('sha256').update(prompt).digest().readUInt32BE(0),
    seconds: Number.parseInt(duration, 10),
    aspectRatio: [wide, high],
  };
}

function retrieve(studio: VideoStudio, body: unknown, response: ServerResponse): void {
  const take = takeOf(studio, body);
  if (take.failure !== null) throw new Refusal(422, 'VIDEO_FAILED', take.failure);
  const media = studio.media(take);
  if (media === null)
    return sendJson(response, 200, {
      status: 'PROCESSING',
      average_execution_time: studio.averageMs,
      execution_duration: Date.now() - take.askedAt,
    });
  response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': media.byteLength }).end(media);
}

function complete(studio: VideoStudio, body: unknown, response: ServerResponse): void {
  studio.remove(takeOf(studio, body).id);
  sendJson(response, 200, { success: true });
}

function takeOf(studio: VideoStudio, body: unknown): Take {
  const asked = videoCompleteSchema.safeParse(body);
  if (!asked.success)
    throw new Refusal(400, 'INVALID_REQUEST', 'The request is not valid: model and queue_id are needed.');
  const take = studio.find(asked.data.queue_id, asked.data.model);
  if (take === null) throw new Refusal(404, 'VIDEO_NOT_FOUND', 'The stand-in has no such video.');
  return take;
}

function parse(body: Buffer): unknown {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // The error below also covers invalid JSON.
  }
  throw new Refusal(400, 'INVALID_JSON', 'The body is not a JSON object.');
}
