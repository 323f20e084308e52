import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { embed } from '@/lib/client/embeddings';
import { listEmbeddingModels, listImageModels, listTranscriptionModels } from '@/lib/client/media-models';
import { generateImages } from '@/lib/client/images';
import { transcribe } from '@/lib/client/transcriptions';
import { imageFormatOf } from '@/lib/protocol/images/image-requests';
import { AUDIO_FORMATS } from '@/lib/protocol/speech/audio-format';
import { createPrivateFetch } from '../../src/private-fetch';
import { speak, speechModels } from '../../src/speech';
import { TurnpikeError, withTypedErrors } from '../../src/turnpike-error';
import { makeVideo, videoModels } from '../../src/video';
import { handedIn, handedOver } from './handed-media';
import { type CallExtra, jsonResult, type ToolParts } from './tool-call';

const ID_LENGTH_MAX = 200;
const INPUT_LENGTH_MAX = 4_096;
const VOICE_LENGTH_MAX = 512;
const PROMPT_LENGTH_MAX = 2_500;
const IMAGE_PROMPT_LENGTH_MAX = 7_500;
const SIZE_LENGTH_MAX = 20;
/** Maximum number of texts in one tool call. It is small, because the answer contains their vectors. */
const TEXTS_MAX = 16;
const TEXT_LENGTH_MAX = 100_000;
const DIMENSIONS_MAX = 65_536;
/** Maximum size of audio inside a tool's arguments. Larger audio must be a file. */
const AUDIO_BYTES_MAX = 2 * 1_024 * 1_024;
const AUDIO_LENGTH_MAX = Math.ceil(AUDIO_BYTES_MAX / 3) * 4;
/** Largest file that gateways accept by default. */
const FILE_BYTES_MAX = 25 * 1_024 * 1_024;
const PATH_LENGTH_MAX = 4_096;
const LANGUAGE_LENGTH_MAX = 35;
/** Number of decimal digits needed to identify any 32-bit float. */
const FLOAT_DIGITS = 9;

const model = z
  .string()
  .min(1)
  .max(ID_LENGTH_MAX)
  .optional()
  .describe('turnpike://models lists them; the first by default');

/**
 * Adds the tools for media and vectors. Adds the video tool only if the server's owner pays, because only the paying
 * account can fetch a video.
 */
export function addMediaTools(server: McpServer, parts: ToolParts): void {
  const privateFetch = createPrivateFetch(parts.customer, parts.privately);
  server.registerTool(
    'speak',
    {
      title: 'Speak a text',
      description: 'Speaks a text. Charged by the character.',
      inputSchema: {
        text: z.string().min(1).max(INPUT_LENGTH_MAX),
        model,
        voice: z.string().min(1).max(VOICE_LENGTH_MAX).optional().describe("By default, the model's own default"),
        format: z.enum(AUDIO_FORMATS).optional().describe("By default, the model's own default"),
      },
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
    },
    (request, extra) => parts.answer(extra, () => spoken(parts, request, extra)),
  );
  server.registerTool(
    'transcribe',
    {
      title: 'Turn speech into text',
      description: 'Turns recorded speech into text. Charged by the second of audio.',
      inputSchema: {
        audio: z.base64().min(1).max(AUDIO_LENGTH_MAX).optional().describe('The audio file in base64, up to 2 MiB'),
        file: z
          .string()
          .min(1)
          .max(PATH_LENGTH_MAX)
          .optional()
          .describe('Instead of `audio`: an audio file in the folder of --media, such as one that `speak` has written'),
        model,
        language: z.string().min(1).max(LANGUAGE_LENGTH_MAX).optional().describe('Such as "en"; recognized by default'),
      },
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    (request, extra) => parts.answer(extra, () => heard(parts, request, extra)),
  );
  server.registerTool(
    'make_image',
    {
      title: 'Make a picture',
      description: 'Makes a picture from a text. Charged by the picture.',
      inputSchema: {
        prompt: z.string().min(1).max(IMAGE_PROMPT_LENGTH_MAX),
        model,
        size: z
          .string()
          .max(SIZE_LENGTH_MAX)
          .optional()
          .describe("Such as 1024x1024; one of the model's sizes; the first by default"),
      },
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
    },
    (request, extra) => parts.answer(extra, () => drawn(parts, request, extra)),
  );
  server.registerTool(
    'embed',
    {
      title: 'Turn texts into vectors',
      description:
        'Turns each text into a vector of numbers, to compare texts by meaning. Texts for a model with `isEncrypted` are encrypted to its enclave. Charged by the token.',
      inputSchema: {
        texts: z.array(z.string().min(1).max(TEXT_LENGTH_MAX)).min(1).max(TEXTS_MAX),
        model,
        dimensions: z
          .number()
          .int()
          .min(1)
          .max(DIMENSIONS_MAX)
          .optional()
          .describe('Length of the vectors, if the model supports shorter ones'),
      },
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    (request, extra) => parts.answer(extra, () => embedded({ ...parts, privateFetch }, request, extra)),
  );
  if (parts.clientPays) return;
  server.registerTool(
    'make_video',
    {
      title: 'Make a video',
      description: 'Makes a short video, which takes minutes, and reports progress. Charged by the second of video.',
      inputSchema: {
        prompt: z.string().min(1).max(PROMPT_LENGTH_MAX),
        model,
        duration: z
          .string()
          .max(10)
          .optional()
          .describe("Such as 5s; one of the model's durations; the first by default"),
        aspectRatio: z
          .string()
          .max(10)
          .optional()
          .describe("Such as 16:9; one of the model's ratios; the first by default"),
      },
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
    },
    (request, extra) => parts.answer(extra, () => filmed(parts, request, extra)),
  );
}

type Optional<Name extends string> = { [Each in Name]?: string | undefined };

async function spoken(
  { customer, mediaFolder }: ToolParts,
  {
    text,
    model: chosen,
    voice,
    format,
  }: { text: string; format?: (typeof AUDIO_FORMATS)[number] | undefined } & Optional<'model' | 'voice'>,
  { signal }: CallExtra,
): Promise<CallToolResult> {
  const speaker = named(await speechModels(customer, { signal }), chosen, 'speaks');
  const chosenFormat = format ?? speaker.defaultFormat;
  const speech = await speak(
    customer,
    { model: speaker.id, voice: voice ?? speaker.defaultVoice, input: text, response_format: chosenFormat },
    { signal },
  );
  return handedOver({ bytes: await speech.bytes(), format: chosenFormat }, mediaFolder);
}

async function heard(
  { customer, mediaFolder }: ToolParts,
  { audio, file, model: chosen, language }: Optional<'audio' | 'file' | 'model' | 'language'>,
  { signal }: CallExtra,
): Promise<CallToolResult> {
  if ((audio === undefined) === (file === undefined))
    throw new TurnpikeError('OPTION_INVALID', { message: 'Give either `audio` or `file`.' });
  const { connection } = customer;
  const { id } = named(
    await withTypedErrors(() => listTranscriptionModels(connection, { signal })),
    chosen,
    'turns speech into text',
  );
  const bytes =
    file === undefined
      ? Uint8Array.from(Buffer.from(audio ?? '', 'base64'))
      : await handedIn(mediaFolder, file, FILE_BYTES_MAX);
  const request = { model: id, audio: bytes, ...(language !== undefined && { language }) };
  return jsonResult({ model: id, text: await withTypedErrors(() => transcribe(connection, request, { signal })) });
}

async function drawn(
  { customer, mediaFolder }: ToolParts,
  { prompt, model: chosen, size }: { prompt: string } & Optional<'model' | 'size'>,
  { signal }: CallExtra,
): Promise<CallToolResult> {
  const { connection } = customer;
  const painter = named(await withTypedErrors(() => listImageModels(connection, { signal })), chosen, 'makes pictures');
  const request = { model: painter.id, prompt, ...(size !== undefined && { size }) };
  const [bytes] = await withTypedErrors(() => generateImages(connection, request, { signal }));
  const format = bytes === undefined ? null : imageFormatOf(bytes);
  if (bytes === undefined || format === null)
    throw new TurnpikeError('ANSWER_MALFORMED', { message: 'The answer is not a picture of a known format.' });
  return handedOver({ bytes, format }, mediaFolder);
}

async function embedded(
  { customer, privateFetch }: ToolParts & { privateFetch: typeof fetch },
  { texts, model: chosen, dimensions }: { texts: string[]; dimensions?: number | undefined } & Optional<'model'>,
  { signal }: CallExtra,
): Promise<CallToolResult> {
  const { connection } = customer;
  const { id, isEncrypted } = named(
    await withTypedErrors(() => listEmbeddingModels(connection, { signal })),
    chosen,
    'makes vectors',
  );
  const request = { model: id, input: texts, ...(dimensions !== undefined && { dimensions }) };
  const { vectors, tokens } = await withTypedErrors(() =>
    embed(isEncrypted ? { ...connection, fetch: privateFetch } : connection, request, { signal }),
  );
  return jsonResult({
    model: id,
    dimensions: vectors[0]?.length ?? 0,
    tokens,
    vectors: vectors.map((each) => Array.from(each, (value) => Number(value.toPrecision(FLOAT_DIGITS)))),
  });
}

async function filmed(
  { customer, mediaFolder }: ToolParts,
  { prompt, model: chosen, duration, aspectRatio }: { prompt: string } & Optional<'model' | 'duration' | 'aspectRatio'>,
  { signal, sendNotification, _meta }: CallExtra,
): Promise<CallToolResult> {
  const camera = named(await videoModels(customer, { signal }), chosen, 'makes videos');
  const request = {
    model: camera.id,
    prompt,
    duration: duration ?? camera.durations[0] ?? '',
    aspect_ratio: aspectRatio ?? camera.aspectRatios[0] ?? '',
  };
  const progressToken = _meta?.progressToken;
  const { media } = await makeVideo(customer, request, {
    signal,
    onProgress: ({ elapsedMs, averageMs }) => {
      if (progressToken === undefined) return;
      const params = {
        progressToken,
        progress: elapsedMs,
        ...(averageMs !== null && averageMs >= elapsedMs && { total: averageMs }),
      };
      void sendNotification({ method: 'notifications/progress', params }).catch(() => undefined);
    },
  });
  return handedOver({ bytes: new Uint8Array(await media.arrayBuffer()), format: 'mp4' }, mediaFolder);
}

function named<Model extends { id: string }>(
  models: readonly Model[],
  chosen: string | undefined,
  what: string,
): Model {
  const found = chosen === undefined ? models[0] : models.find(({ id }) => id === chosen);
  if (found !== undefined) return found;
  throw new TurnpikeError('MODEL_UNKNOWN', {
    message:
      chosen === undefined
        ? `The gateway has no model that ${what}.`
        : `The gateway has no model ${JSON.stringify(chosen)} that ${what}.`,
    remedy:
      models.length === 0
        ? 'Ask the operator of the gateway for one.'
        : `Choose one of ${models.map(({ id }) => id).join(', ')}.`,
  });
}
