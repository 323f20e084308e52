import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { AUDIO_FORMATS, type AudioFormat } from '@/lib/protocol/speech/audio-format';
import { speak, speechModels } from '../../src/speech';
import { TurnpikeError } from '../../src/turnpike-error';
import { makeVideo, videoModels } from '../../src/video';
import { onBehalfOf } from './consent';
import type { McpParts } from './mcp-server';
import { told } from './tool-result';

/** What a client is handed inside an answer; longer media need a folder. */
const INLINE_BYTES_MAX = 4 * 1_024 * 1_024;

interface Media {
  bytes: Uint8Array;
  mimeType: string;
  ending: string;
}

/** Speech and videos. */
export function addMediaTools(server: McpServer, { customer, mediaFolder }: McpParts): void {
  server.registerTool(
    'speak',
    {
      title: 'Speak a text',
      description: 'Has a text spoken. Charged by the character.',
      inputSchema: {
        text: z.string().min(1).max(4_096),
        model: z.string().min(1).max(200).optional(),
        voice: z.string().min(1).max(100).optional(),
        format: z.enum(AUDIO_FORMATS).optional(),
      },
      annotations: { openWorldHint: true },
    },
    ({ text, model: chosen, voice, format }, { signal }) =>
      told(() =>
        onBehalfOf(server.server, async () => {
          const models = await speechModels(customer, { signal });
          const model = named(models, chosen, 'speaks');
          const chosenFormat: AudioFormat = format ?? model.defaultFormat;
          const speech = await speak(customer, { model: model.id, voice: voice ?? model.defaultVoice, input: text, response_format: chosenFormat }, { signal });
          return handedOver({ bytes: await speech.bytes(), mimeType: speech.contentType, ending: chosenFormat }, mediaFolder, 'speech');
        }),
      ),
  );

  server.registerTool(
    'make_video',
    {
      title: 'Make a video',
      description: 'Has a short video made, which takes minutes. Charged by the second of it.',
      inputSchema: { prompt: z.string().min(1).max(2_500), model: z.string().min(1).max(200).optional(), duration: z.string().max(10).optional(), aspectRatio: z.string().max(10).optional() },
      annotations: { openWorldHint: true },
    },
    ({ prompt, model: chosen, duration, aspectRatio }, { signal, sendNotification, _meta }) =>
      told(() =>
        onBehalfOf(server.server, async () => {
          const model = named(await videoModels(customer, { signal }), chosen, 'makes videos');
          const request = { model: model.id, prompt, duration: duration ?? model.durations[0] ?? '', aspect_ratio: aspectRatio ?? model.aspectRatios[0] ?? '' };
          const progressToken = _meta?.progressToken;
          const { media } = await makeVideo(customer, request, {
            signal,
            onProgress: ({ elapsedMs, averageMs }) => {
              if (progressToken !== undefined) void sendNotification({ method: 'notifications/progress', params: { progressToken, progress: elapsedMs, ...(averageMs !== null && { total: averageMs }) } }).catch(() => undefined);
            },
          });
          return handedOver({ bytes: new Uint8Array(await media.arrayBuffer()), mimeType: media.type, ending: 'mp4' }, mediaFolder, 'video');
        }),
      ),
  );
}

function named<Model extends { id: string }>(models: readonly Model[], chosen: string | undefined, what: string): Model {
  const model = chosen === undefined ? models[0] : models.find(({ id }) => id === chosen);
  if (model === undefined) throw new TurnpikeError('MODEL_UNKNOWN', { message: chosen === undefined ? `The gateway has no model that ${what}.` : `The gateway has no model ${JSON.stringify(chosen)} that ${what}.` });
  return model;
}

/** Media as a file where there is a folder for it, else inside the answer. */
async function handedOver({ bytes, mimeType, ending }: Media, folder: string | null, what: string): Promise<CallToolResult> {
  if (folder !== null) {
    await mkdir(folder, { recursive: true });
    const file = path.join(folder, `${what}-${randomBytes(6).toString('hex')}.${ending}`);
    await writeFile(file, bytes, { flag: 'wx' });
    return { content: [{ type: 'text', text: JSON.stringify({ file, mimeType, bytes: bytes.length }) }], structuredContent: { file, mimeType, bytes: bytes.length } };
  }
  if (bytes.length > INLINE_BYTES_MAX) throw new TurnpikeError('OPTION_INVALID', { message: `The ${what} has ${bytes.length} bytes, which is too much for an answer.`, remedy: 'It was charged. Start the server with --media FOLDER, so that the next one is written there.' });
  const data = Buffer.from(bytes).toString('base64');
  if (mimeType.startsWith('audio/')) return { content: [{ type: 'audio', data, mimeType }] };
  return { content: [{ type: 'resource', resource: { uri: `turnpike://media/${what}.${ending}`, mimeType, blob: data } }] };
}
