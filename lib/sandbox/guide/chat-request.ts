import { Refusal } from '../http/refusal';

/** A message as far as the guide reads it. */
export interface ChatMessage {
  role: string;
  /** Text, content parts, or nothing. */
  content: unknown;
}

/** A chat request as far as the guide reads it. */
export interface ChatRequest {
  model: string;
  messages: ChatMessage[];
  isStream: boolean;
  includesUsage: boolean;
  /** The most that may be generated, in tokens; null for no limit of the caller's. */
  tokensMax: number | null;
  /** How many alternatives of each token are told; null where no log probabilities are. */
  topLogprobs: number | null;
  /** The schema of structured output; null for text. */
  schema: Record<string, unknown> | null;
  /** Whether any JSON object will do. */
  wantsJson: boolean;
  tools: { name: string; parameters: Record<string, unknown> }[];
  /** Whether a tool must be called, may be, or one by name. */
  toolChoice: 'none' | 'auto' | 'required' | { name: string };
}

const MESSAGES_MAX = 1_000;

type Json = Record<string, unknown>;

/** Reads the body of a chat request. @throws {Refusal} 400 naming the field at fault */
export function readChatRequest(bytes: Buffer): ChatRequest {
  const body = parseBody(bytes);
  const { model, messages } = body;
  if (typeof model !== 'string') throw invalid('"model" must be a string.');
  if (!Array.isArray(messages) || messages.length === 0 || messages.length > MESSAGES_MAX)
    throw invalid(`"messages" must be an array of 1 to ${MESSAGES_MAX} messages.`);
  const responseFormat = objectOr(body['response_format']);
  const jsonSchema = objectOr(responseFormat['json_schema']);
  return {
    model,
    messages: messages.map(readMessage),
    isStream: body['stream'] === true,
    includesUsage: objectOr(body['stream_options'])['include_usage'] === true,
    tokensMax: tokenLimit(body['max_completion_tokens'] ?? body['max_tokens']),
    topLogprobs: body['logprobs'] === true ? Number(body['top_logprobs'] ?? 0) : null,
    schema: responseFormat['type'] === 'json_schema' ? objectOr(jsonSchema['schema']) : null,
    wantsJson: responseFormat['type'] === 'json_object',
    tools: (Array.isArray(body['tools']) ? body['tools'] : []).map(readTool),
    toolChoice: readToolChoice(body['tool_choice']),
  };
}

/** The text of a message's content, of its text parts where it has several. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part) => objectOr(part)['text'])
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
  const { role, content } = objectOr(value);
  if (typeof role !== 'string') throw invalid(`"messages[${index}].role" must be a string.`);
  return { role, content: content ?? null };
}

function readTool(value: unknown, index: number): ChatRequest['tools'][number] {
  const { name, parameters } = objectOr(objectOr(value)['function']);
  if (typeof name !== 'string') throw invalid(`"tools[${index}].function.name" must be a string.`);
  return { name, parameters: objectOr(parameters) };
}

function readToolChoice(value: unknown): ChatRequest['toolChoice'] {
  if (value === 'none' || value === 'required') return value;
  const { name } = objectOr(objectOr(value)['function']);
  return typeof name === 'string' ? { name } : 'auto';
}

function tokenLimit(value: unknown): number | null {
  if (value == null) return null;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1)
    throw invalid('"max_tokens" must be a whole number of 1 or more.');
  return value;
}

function objectOr(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function invalid(sentence: string): Refusal {
  return new Refusal(400, 'INVALID_REQUEST', sentence);
}
