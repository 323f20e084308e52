import { errorOf, statusOfError } from '@/lib/protocol/chat/answer-error';
import { readNativeUsage } from '@/lib/protocol/chat/native-usage';
import { estimatePromptTokens } from '@/lib/protocol/chat/prompt-estimate';
import { estimateTokens, isMiscounted, type TokenUsage } from '@/lib/protocol/chat/token-usage';
import { parsedRecord } from '@/lib/protocol/json-record';
import type { UpstreamAnswer } from '../../upstreams/models/model-exchange';
import { answerTokensMax } from '../chat-budget';
import type { CheckedChat } from '../paid-chat';
import { isSuccess, type WholeAnswer } from '../whole-answer';

const ERROR_STATUS = 502;

/** Parses a whole answer of the Responses or Messages API. */
export function readNativeAnswer(answer: UpstreamAnswer): WholeAnswer {
  const { status, headers, body } = answer;
  if (!isSuccess(status)) return { kind: 'refusal', answer };
  const json = parsedRecord(body.toString('utf8'));
  if (json === null) return { kind: 'unreadable' };
  const error = errorOf(json);
  if (error !== null)
    return { kind: 'refusal', answer: { status: statusOfError(error) ?? ERROR_STATUS, headers, body } };
  return Array.isArray(json['output']) || Array.isArray(json['content'])
    ? { kind: 'completion', json, body }
    : { kind: 'unreadable' };
}

/** Returns the tokens of a whole answer: the server's count, or an estimate from the bytes of prompt and output. */
export function nativeUsageOf(
  { usage, output, content }: Readonly<Record<string, unknown>>,
  { native, body, budget }: CheckedChat,
): TokenUsage {
  const told = readNativeUsage(native?.api ?? 'responses', usage);
  const bytes = Buffer.byteLength(JSON.stringify(output ?? content ?? ''));
  if (told !== null && !isMiscounted(told, true)) return told;
  return {
    promptTokens: told?.promptTokens || estimatePromptTokens(body.request),
    completionTokens: told?.completionTokens || Math.min(answerTokensMax(budget), Math.max(1, estimateTokens(bytes))),
  };
}
