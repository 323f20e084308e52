import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { AUDIO_FORMATS } from '@/lib/protocol/speech/audio-format';
import { speak, speechModels } from '../../src/speech';
import { TurnpikeError } from '../../src/turnpike-error';
import { makeVideo, videoModels } from '../../src/video';
import { handedOver } from './handed-media';
import type { ToolParts } from './mcp-parts';
import type { CallExtra } from './tool-call';

const ID_LENGTH_MAX = 200;
const INPUT_LENGTH_MAX = 4_096;
const VOICE_LENGTH_MAX = 512;
const PROMPT_LENGTH_MAX = 2_500;

const model = z
  .string()
  .min(1)
  .max(ID_LENGTH_MAX)
  .optional()
  .describe('turnpike://models lists them; the first unless given');

/**
 * Adds the speech tool, and also the video tool if the server's owner pays. Only the account that paid for a video can
 * fetch it, and clients that pay per call have no account.
 */
export function addMediaTools(server: McpServer, parts: ToolParts): void {
  server.registerTool(
    'speak',
    {
      title: 'Speak a text',
      description: 'Has a text spoken. Charged by the character.',
      inputSchema: {
        text: z.string().min(1).max(INPUT_LENGTH_MAX),
        model,
        voice: z.string().min(1).max(VOICE_LENGTH_MAX).optional().describe("The model's default unless given"),
        format: z.enum(AUDIO_FORMATS).optional().describe("The model's default unless given"),
      },
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
    },
    (request, extra) => parts.answer(extra, () => spoken(parts, request, extra)),
  );
  if (parts.clientPays) return;
  server.registerTool(
    'make_video',
    {
      title: 'Make a video',
      description: 'Has a short video made, which takes minutes; progress is told. Charged by the second of it.',
      inputSchema: {
        prompt: z.string().min(1).max(PROMPT_LENGTH_MAX),
        model,
        duration: z
          .string()
          .max(10)
          .optional()
          .describe("Such as 5s; one of the model's durations, the first unless given"),
        aspectRatio: z.string().max(10).optional().describe("Such as 16:9; one of the model's, the first unless given"),
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
