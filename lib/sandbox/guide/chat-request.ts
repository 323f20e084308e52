import { recordOf } from '@/lib/protocol/json-record';
import { Refusal } from '../http/refusal';

export interface ChatMessage {
  role: string;
  content: unknown;
}

export interface ChatRequest {
  model: string;
  messages: ChatMessage[];
  isStream: boolean;
  includesUsage: boolean;
  /** Maximum number of generated tokens; null for no limit. */
  tokensMax: number | null;
  /** Number of alternatives to list for each token; null for no log probabilities. */
  topLogprobs: number | null;
  /** JSON Schema of structured output; null for plain text. */
  schema: Record<string, unknown> | null;
  /** True if the caller accepts any JSON object. */
  wantsJson: boolean;
  tools: { name: string; parameters: Record<string, unknown> }[];
  toolChoice: 'none' | 'auto' | 'required' | { name: string };
}

const MESSAGES_MAX = 1_000;

type Json = Record<string, unknown>;

/** Parses the body of a chat request. @throws {Refusal} 400 that names the invalid field */
export function readChatRequest(bytes: Buffer): ChatRequest {
  const body = parseBody(bytes);
  const { model, messages } = body;
  if (typeof model !== 'string') throw invalid('"model" must be a string.');
  if (!Array.isArray(messages) || messages.length === 0 || messages.length > MESSAGES_MAX)
    throw invalid(`"messages" must be an array of 1 to ${MESSAGES_MAX} messages.`);
  const responseFormat = recordOf(body['response_format']);
  const jsonSchema = recordOf(responseFormat['json_schema']);
  return {
    model,
    messages: messages.map(readMessage),
    isStream: body['stream'] === true,
    includesUsage: recordOf(body['stream_options'])['include_usage'] === true,
    tokensMax: tokenLimit(body['max_completion_tokens'] ?? body['max_tokens']),
    topLogprobs: body['logprobs'] === true ? Number(body['top_logprobs'] ?? 0) : null,
    schema: responseFormat['type'] === 'json_schema' ? recordOf(jsonSchema['schema']) : null,
    wantsJson: responseFormat['type'] === 'json_object',
    tools: (Array.isArray(body['tools']) ? body['tools'] : []).map(readTool),
    toolChoice: readToolChoice(body['tool_choice']),
  };
}

/** Returns a message's text; joins the text parts of a list. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part) => recordOf(part)['text'])
    .filter((text) => typeof text === 'string')
    .join('\n');
}

function parseBody(bytes: Buffer): Json {
  try {
    const body: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Json;
  } catch {
    throw invalid('The body is not valid JSON.');
  }
  throw invalid('The body must be an object.');
}

function readMessage(value: unknown, index: number): ChatMessage {
  const { role, content } = recordOf(value);
  if (typeof role !== 'string') throw invalid(`"messages[${index}].role" must be a string.`);
  return { role, content: content ?? null };
}

function readTool(value: unknown, index: number): ChatRequest['tools'][number] {
  const { name, parameters } = recordOf(recordOf(value)['function']);
  if (typeof name !== 'string') throw invalid(`"tools[${index}].function.name" must be a string.`);
  return { name, parameters: recordOf(parameters) };
}

function readToolChoice(value: unknown): ChatRequest['toolChoice'] {
  if (value === 'none' || value === 'required') return value;
  const { name } = recordOf(recordOf(value)['function']);
  return typeof name === 'string' ? { name } : 'auto';
}

function tokenLimit(value: unknown): number | null {
  if (value == null) return null;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1)
    throw invalid('"max_tokens" must be a whole number of 1 or more.');
  return value;
}

function invalid(sentence: string): Refusal {
  return new Refusal(400, 'INVALID_REQUEST', sentence);
}
