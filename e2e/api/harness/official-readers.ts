import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { streamText } from 'ai';
import OpenAI from 'openai';
import type { Found } from './odd-stream';
import type { Told } from './stream-readers';

interface Asked {
  origin: string;
  key: string;
}

const QUESTION = 'Hello?';
const endOf = (reason: string | null | undefined): Told['end'] => (reason ?? 'stop') as Found['end'];
const failed = (error: unknown): Told['end'] => ({
  error: String((error as { message?: unknown } | null)?.message ?? JSON.stringify(error)),
});

/** Reads a streamed answer with OpenAI's SDK. */
export async function toldByOpenAI({ origin, key }: Asked): Promise<Told> {
  const client = new OpenAI({ baseURL: `${origin}/api/v1`, apiKey: key, maxRetries: 0 });
  const calls: { id: string; name: string; argumentsText: string }[] = [];
  let [text, reason, usage]: [string, string | null, Found['usage']] = ['', null, null];
  try {
    const stream = await client.chat.completions.create({
      model: 'plain',
      stream: true,
      stream_options: { include_usage: true },
      messages: [{ role: 'user', content: QUESTION }],
    });
    for await (const part of stream) {
      if (part.usage)
        usage = { promptTokens: part.usage.prompt_tokens, completionTokens: part.usage.completion_tokens };
      const [choice] = part.choices;
      text += choice?.delta?.content ?? '';
      reason = choice?.finish_reason || reason;
      for (const { index, id, function: called } of choice?.delta?.tool_calls ?? []) {
        const call = (calls[index] ??= { id: '', name: '', argumentsText: '' });
        call.id ||= id ?? '';
        call.name += called?.name ?? '';
        call.argumentsText += called?.arguments ?? '';
      }
    }
  } catch (error) {
    return { text, end: failed(error) };
  }
  return { text, calls, usage, end: endOf(reason) };
}

/** Reads a streamed answer with the AI SDK's provider for OpenAI-compatible servers. */
export async function toldByAiSdk({ origin, key }: Asked): Promise<Told> {
  const provider = createOpenAICompatible({
    name: 'turnpike',
    baseURL: `${origin}/api/v1`,
    apiKey: key,
    includeUsage: true,
  });
  const calls: { id: string; name: string; argumentsText: string }[] = [];
  let [text, end]: [string, Told['end']] = ['', null];
  let fault: unknown;
  const { fullStream } = streamText({
    model: provider('plain'),
    prompt: QUESTION,
    maxRetries: 0,
    onError: () => undefined,
  });
  try {
    for await (const part of fullStream) {
      if (part.type === 'text-delta') text += part.text;
      else if (part.type === 'tool-call')
        calls.push({ id: part.toolCallId, name: part.toolName, argumentsText: JSON.stringify(part.input) });
      else if (part.type === 'error') fault ??= part.error;
      else if (part.type === 'finish') end = endOf(part.finishReason.replaceAll('-', '_'));
    }
  } catch (error) {
    fault ??= error;
  }
  return fault === undefined ? { text, calls, end } : { text, end: failed(fault) };
}
