import { lastQuestionOf } from '@/lib/protocol/chat/folded-conversation';
import { type ChatRequest, textOf } from './chat-request';
import type { Guide, GuideAnswer } from './guide';
import { fillSchema } from './schema-filler';

export interface GuideReply {
  pieces: string[];
  toolCall: { name: string; arguments: string } | null;
  finishReason: 'stop' | 'length' | 'tool_calls';
  usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
}

export interface Sight {
  /** Prompt tokens of all pictures. */
  tokens: number;
  /** Null if only earlier messages have pictures. */
  description: string | null;
}

/** Matches a chunk: a word with the whitespace before it. Each chunk counts as one token. */
const PIECE = /\s*\S+|\s+$/g;

/** Makes the reply to a chat request. Identical requests get identical replies. */
export function replyTo(request: ChatRequest, guide: Guide, sight?: Sight): GuideReply {
  const seen = sight?.description ?? null;
  const answer = seen === null ? guide.answer(questionOf(request)) : { text: seen, passage: '', isFound: true };
  const tool = toolToCall(request);
  const called =
    tool === null
      ? null
      : { name: tool.name, arguments: JSON.stringify(fillSchema(tool.parameters, fillingOf(answer))) };
  const whole = piecesOf(called === null ? contentOf(request, answer) : '');
  const pieces = whole.slice(0, request.tokensMax ?? whole.length);
  const promptTokens = request.messages.reduce(
    (sum, { content }) => sum + piecesOf(textOf(content)).length,
    sight?.tokens ?? 0,
  );
  const completionTokens = called === null ? pieces.length : piecesOf(called.arguments).length;
  return {
    pieces,
    toolCall: called,
    finishReason: called !== null ? 'tool_calls' : pieces.length < whole.length ? 'length' : 'stop',
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
    },
  };
}

function questionOf({ messages }: ChatRequest): string {
  return lastQuestionOf(textOf(messages.findLast(({ role }) => role === 'user')?.content));
}

/**
 * Chooses a tool if one is required or the question mentions one. Never calls a tool directly after a tool's result.
 */
function toolToCall(request: ChatRequest): ChatRequest['tools'][number] | null {
  const { tools, toolChoice, messages } = request;
  if (toolChoice === 'none' || messages.at(-1)?.role === 'tool') return null;
  if (toolChoice === 'required') return tools[0] ?? null;
  const question = questionOf(request);
  return tools.find(({ name }) => (toolChoice === 'auto' ? question.includes(name) : name === toolChoice.name)) ?? null;
}

function contentOf(request: ChatRequest, answer: GuideAnswer): string {
  if (request.schema !== null) return JSON.stringify(fillSchema(request.schema, fillingOf(answer)));
  if (request.wantsJson) return JSON.stringify({ answer: answer.text, found: answer.isFound });
  const last = request.messages.at(-1);
  return last?.role === 'tool' ? `The tool answered: ${textOf(last.content)}` : answer.text;
}

function fillingOf({ passage, text, isFound }: GuideAnswer) {
  return { text: passage || text, isFound };
}

function piecesOf(text: string): string[] {
  return text.match(PIECE) ?? [];
}
