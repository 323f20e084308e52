import { recordOf } from '@/lib/protocol/json-record';
import type { ChatMessage } from '@/lib/protocol/chat/folded-conversation';
import { TurnpikeError } from './turnpike-error';

/** Chat request of the OpenAI SDK, with only the fields that a private chat supports. */
export interface PrivateRequest {
  model: string;
  messages: readonly ChatMessage[];
  /** Other parameters, sent unchanged. */
  parameters: Readonly<Record<string, unknown>>;
  isStreamed: boolean;
  withUsage: boolean;
}

/** Fields, mostly numeric, that reveal nothing about the conversation. */
const PLAIN: readonly string[] = [
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'top_p',
  'top_k',
  'min_p',
  'presence_penalty',
  'frequency_penalty',
  'repetition_penalty',
  'seed',
  'reasoning_effort',
];
/** Fields that `readPrivateRequest` handles itself. */
const READ: readonly string[] = ['model', 'messages', 'stream', 'stream_options'];
const ROLES: Readonly<Record<string, ChatMessage['role']>> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
};

/**
 * Parses a chat body. Allows only messages, which are encrypted, and fields known to reveal nothing.
 * @param plainParameters other fields that may be sent unencrypted
 * @throws {TurnpikeError} NOT_SUPPORTED_PRIVATELY, naming the field
 */
export function readPrivateRequest(bodyText: string, plainParameters: readonly string[] = []): PrivateRequest {
  const body = parse(bodyText);
  const { model, messages, stream, stream_options: streamOptions } = body;
  if (typeof model !== 'string' || model === '') throw refused('"model" is not the id of a model');
  if (!Array.isArray(messages)) throw refused('"messages" is not a list');
  const parameters = Object.entries(body).filter(
    ([name, value]) => !READ.includes(name) && value !== null && !isNothing(name, value),
  );
  for (const [name] of parameters)
    if (!PLAIN.includes(name) && !plainParameters.includes(name))
      throw refused(
        `"${name}" would be sent unencrypted`,
        `Leave it out, or name it in plainParameters if it reveals nothing.`,
      );
  return {
    model,
    messages: messages.map(readMessage),
    parameters: Object.fromEntries(parameters),
    isStreamed: stream === true,
    withUsage: recordOf(streamOptions)['include_usage'] === true,
  };
}

/** Returns whether a value has the same meaning as a missing field. */
function isNothing(name: string, value: unknown): boolean {
  if (name === 'n') return value === 1;
  if (name === 'tools') return Array.isArray(value) && value.length === 0;
  return name === 'response_format' && recordOf(value)['type'] === 'text';
}

function readMessage(value: unknown, index: number): ChatMessage {
  const { role: spoken, content } = recordOf(value);
  const role = typeof spoken === 'string' && Object.hasOwn(ROLES, spoken) ? ROLES[spoken] : undefined;
  if (role === undefined) throw refused(`messages[${index}] has the role ${JSON.stringify(spoken)}`);
  if (recordOf(value)['tool_calls'] != null) throw refused(`messages[${index}] has tool calls`);
  return { role, content: textOf(content, index) };
}

function textOf(content: unknown, index: number): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) throw refused(`messages[${index}] has no text`);
  return content
    .map((part) => {
      const { type, text } = recordOf(part);
      if (type !== 'text' || typeof text !== 'string')
        throw refused(`messages[${index}] has a part of the type ${JSON.stringify(type)}`);
      return text;
    })
    .join('\n');
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    return recordOf(JSON.parse(text));
  } catch (cause) {
    throw new TurnpikeError('NOT_SUPPORTED_PRIVATELY', { message: 'The body of this chat is not JSON.', cause });
  }
}

function refused(what: string, remedy?: string): TurnpikeError {
  return new TurnpikeError('NOT_SUPPORTED_PRIVATELY', {
    message: `The chat cannot be sent privately: ${what}.`,
    ...(remedy && { remedy: `Nothing was sent. ${remedy}` }),
  });
}
