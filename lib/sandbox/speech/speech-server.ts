import { AUDIO_FORMAT_INFO } from '@/lib/protocol/speech/audio-format';
import { isSpeechModelId, SPEECH_MODEL_IDS, SPEECH_MODELS } from '@/lib/protocol/speech/speech-models';
import { wavHeader } from '@/lib/protocol/speech/wav-header';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { pacedWrite } from '../http/paced-write';
import { readBody } from '../http/read-body';
import { Refusal, sendJson } from '../http/refusal';
import type { SandboxLog } from '../log';
import { embeddedVoice } from './embedded-voice';
import {
  EngineAbsentError,
  EngineFailedError,
  EnginePool,
  type EnginePoolOptions,
  EnginesBusyError,
} from './engine-pool';
import { ENGINE_PACKAGE } from './espeak';

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

type SpokenRequest = z.infer<typeof schema>;

function readSpeechRequest(body: Buffer): SpokenRequest {
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

const BODY_BYTES_MAX = 64 * 1024;
const RETRY_AFTER_SECONDS = '5';
/** Header that tells callers that the speech is simulated. */
const ENGINE_HEADER = { 'x-speech-engine': 'espeak-ng' };

/**
 * Simulates a speech server: OpenAI's speech API over eSpeak NG. Paths omit the prefix `/v1`.
 *
 * - `POST /audio/speech {model, input, voice, language?, speed?, response_format?: "pcm" | "wav"}`: 24 kHz mono,
 *   streamed.
 * - `GET /audio/voices`: the voices of each model.
 * - `GET /models`: the models.
 *
 * Errors are `{"error": {"message", "type", "code"}}`. Status 503 means that the engine's package is not installed
 * (code `ENGINE_ABSENT`), or that too many texts wait (with Retry-After). A failure during the stream breaks the
 * connection.
 */
export class SpeechServer {
  constructor(private readonly engines: EnginePool) {}

  /** Answers a request for a path after `/v1`. Sends expected errors in OpenAI's format. */
  async handle(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    try {
      await this.#route(request, response, path);
    } catch (error) {
      const refusal = error instanceof Error ? asRefusal(error) : null;
      if (refusal === null || response.headersSent) throw error;
      sendJson(
        response,
        refusal.status,
        { error: { message: refusal.message, type: 'invalid_request_error', code: refusal.code } },
        refusal.headers,
      );
    }
  }

  /** @throws {EngineAbsentError | EngineFailedError} */
  warmUp(): Promise<void> {
    return this.engines.warmUp();
  }

  async close(): Promise<void> {
    await this.engines.close();
  }

  async #route(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const call = `${request.method} ${path}`;
    if (call === 'POST /audio/speech')
      return this.#speak(readSpeechRequest(await readBody(request, BODY_BYTES_MAX)), response);
    if (call === 'GET /models')
      return sendJson(response, 200, {
        object: 'list',
        data: SPEECH_MODEL_IDS.map((id) => ({ id, object: 'model', created: 0, owned_by: 'sandbox' })),
      });
    if (call === 'GET /audio/voices')
      return sendJson(
        response,
        200,
        voicesOf(new URL(request.url ?? '/', 'http://localhost').searchParams.get('model')),
      );
    throw new Refusal(404, 'NOT_FOUND', 'There is nothing at this path.');
  }

  async #speak(
    { model, voice, input, language, speed, response_format: format }: SpokenRequest,
    response: ServerResponse,
  ): Promise<void> {
    const embedded = embeddedVoice(model, voice, input, language);
    if (embedded === null) throw new Refusal(400, 'VOICE_NOT_FOUND', `${model} has no voice with this name.`);
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    try {
      for await (const samples of this.engines.speak({ text: input, voice: embedded, speed }, gone.signal)) {
        if (!response.headersSent) begin(response, format);
        if (!(await pacedWrite(response, new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength))))
          return;
      }
      response.end();
    } catch (error) {
      if (!gone.signal.aborted) throw error;
    }
  }
}

function begin(response: ServerResponse, format: SpokenRequest['response_format']): void {
  response.writeHead(200, { ...ENGINE_HEADER, 'content-type': AUDIO_FORMAT_INFO[format].contentType });
  if (format === 'wav') response.write(wavHeader(null));
}

function voicesOf(model: string | null) {
  const ids = model === null ? SPEECH_MODEL_IDS : SPEECH_MODEL_IDS.filter((id) => id === model);
  if (model !== null && !isSpeechModelId(model))
    throw new Refusal(404, 'MODEL_NOT_FOUND', 'There is no model with this name.');
  return {
    voices: ids.flatMap((id) =>
      SPEECH_MODELS[id].voices.map((voice) => ({
        model: id,
        id: voice,
        name: voice,
        embedded: embeddedVoice(id, voice, ''),
      })),
    ),
  };
}

function asRefusal(error: Error): Refusal | null {
  if (error instanceof Refusal) return error;
  if (error instanceof EnginesBusyError)
    return new Refusal(503, 'ENGINES_BUSY', error.message, { 'retry-after': RETRY_AFTER_SECONDS });
  if (error instanceof EngineAbsentError)
    return new Refusal(
      503,
      'ENGINE_ABSENT',
      `The sandbox has no voice: install the optional package ${ENGINE_PACKAGE} (npm install --include=optional), or configure a speech server.`,
    );
  if (error instanceof EngineFailedError) return new Refusal(500, 'ENGINE_FAILED', error.message);
  return null;
}

const THREADS_MAX = 2;
const QUEUE_MAX = 64;
const SILENCE_TIMEOUT_MS = 60_000;
/** Delay of the warm-up, so that the sandbox starts fast. */
const WARM_UP_AFTER_MS = 2_000;

/**
 * Creates simulated speech. `warmUpSoon` or the first text loads the engine.
 *
 * @param projectRoot folder that contains `dist`
 */
export function createSpeech(projectRoot: string, options: Partial<EnginePoolOptions> = {}): SpeechServer {
  const engines = new EnginePool({
    threadFile: path.join(projectRoot, 'dist', 'speech-engine.mjs'),
    threads: Math.min(THREADS_MAX, Math.max(1, availableParallelism() - 1)),
    queueMax: QUEUE_MAX,
    silenceTimeoutMs: SILENCE_TIMEOUT_MS,
    ...options,
  });
  return new SpeechServer(engines);
}

export function warmUpSoon(speech: SpeechServer, log: SandboxLog): void {
  const explain = (error: Error) =>
    error instanceof EngineAbsentError ? 'its engine is an optional package that is not installed' : error.message;
  setTimeout(
    () =>
      void speech
        .warmUp()
        .catch((error: Error) => log.warn(`speech is not available in the sandbox: ${explain(error)}`)),
    WARM_UP_AFTER_MS,
  ).unref();
}
